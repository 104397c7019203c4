import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { access, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Permit } from '../../domain/access/permit.ts';
import { DAY_MS, toInstant } from '../../domain/shared/instant.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';
import { isOutdatedReportFile } from '../../domain/support/ticket.ts';
import {
  type ByteRange,
  checkObjectKey,
  type Examination,
  type ExpectedFacts,
  type KeyPage,
  keyPage,
  type ObjectInfo,
  type ObjectListing,
  type ObjectState,
  type ObjectStore,
  type OpenedObject,
  type StoredObject,
} from '../../ports/outbound/object-store.ts';
import { StoreUnavailable } from '../store/table.ts';
import type { DownloadSignature } from './download-signature.ts';
import { createFile, createOnce, openPlain, syncFolder } from './durable-files.ts';
import { infoOf, receive, refuseOtherBytes, stateOfBytes, stateOfSize } from './receive.ts';
import { SelfSigned } from './self-signed.ts';
import { asUnavailable, hasCode, onDisk } from './storage-faults.ts';
import type { UploadSignature } from './upload-signature.ts';

/** The three folders of a store; see FilesystemObjects. */
type Folders = { readonly keys: string; readonly bytes: string; readonly drafts: string };

const SUM = /[0-9a-f]{64}/;

const isKept = async (keys: string, sha256: string): Promise<boolean> => {
  for (const name of await readdir(keys)) {
    if (name.includes(sha256)) return true;
    // Most keys contain the SHA-256 in their name; the other keys' files contain it.
    if (!SUM.test(name) && (await readFile(join(keys, name), 'latin1')).startsWith(sha256)) return true;
  }
  return false;
};

/**
 * Removes bytes that no key refers to. The file is first moved aside, and moved back if it is new or if a key refers to
 * it by then: a concurrent put of the same bytes writes its key after the bytes.
 */
const removeBytes = async ({ keys, bytes, drafts }: Folders, sha256: string, newFor: number): Promise<void> => {
  if (await isKept(keys, sha256)) return;
  const [file, aside] = [join(bytes, sha256), join(drafts, randomUUID())];
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const isNew = (await stat(aside)).mtimeMs > Date.now() - newFor;
  if (isNew || (await isKept(keys, sha256))) await rename(aside, file);
  else await rm(aside, { force: true });
};

/**
 * Removes bytes that no key refers to, however new. A concurrent put of the same bytes loses them if it is between its
 * last two steps; repeating that put stores them.
 */
const removeBytesOfNobody = (folders: Folders, sha256: string): Promise<void> => removeBytes(folders, sha256, 0);

/** Removes the files of support reports whose retention has ended. A bucket's lifecycle rule does the same. */
const removeOutdatedFiles = async (folders: Folders): Promise<void> => {
  const now = toInstant(Date.now());
  const names = await readdir(folders.keys);
  const outdated = names.filter((name) => isOutdatedReportFile(name.replaceAll('+', '/'), now));
  for (const name of outdated) await rm(join(folders.keys, name), { force: true });
  const sums = new Set(outdated.flatMap((name) => SUM.exec(name)?.[0] ?? []));
  for (const sum of sums) await removeBytes(folders, sum, DAY_MS);
};

const ENTRY = /^([0-9a-f]{64}) (\d{1,16})\n$/;

/** The number of keys in a page. Each page lists the whole folder, so large pages are cheaper. */
const PAGE = 10_000;

/**
 * Objects in a folder that only its owner may read. The folder has three parts:
 * - `bytes/` holds each object's bytes once, in a file named by their SHA-256, so that `sha256sum` can check them;
 * - `keys/` holds a file for each key, with a line of SHA-256 and size. An object exists once this file exists;
 * - `drafts/` holds uploads in progress. Opening the store removes drafts that are older than a day.
 * The name of a key's file is the key with `/` replaced by `+`, which no key contains. So no key leads out of its
 * folder, and links are not followed. Bytes whose key was lost to a concurrent put or a power failure may stay in
 * `bytes/`; they cannot be read. A fault of the disk fails with StoreUnavailable.
 */
export class FilesystemObjects extends SelfSigned implements ObjectStore, ObjectListing {
  readonly #folder: string;
  readonly #bytes: string;
  readonly #keys: string;
  readonly #drafts: string;

  /** Creates the folder if it does not exist. Without `uploads`, the store signs no upload URLs. */
  constructor(folder: string, signature: DownloadSignature, uploads?: UploadSignature) {
    super(signature, uploads);
    this.#folder = resolve(folder);
    this.#bytes = join(this.#folder, 'bytes');
    this.#keys = join(this.#folder, 'keys');
    this.#drafts = join(this.#folder, 'drafts');
    try {
      for (const part of [this.#bytes, this.#keys, this.#drafts]) mkdirSync(part, { recursive: true, mode: 0o700 });
      this.#removeStaleDrafts();
    } catch (error) {
      throw asUnavailable(this.#folder, error);
    }
  }

  async put(_permit: Permit, key: string, bytes: Readable, expected: ExpectedFacts = {}): Promise<StoredObject> {
    checkObjectKey(key);
    const draft = this.#newDraft();
    try {
      const received = await this.#write(draft, bytes, expected);
      const created = await onDisk(this.#folder, () => this.#keep(key, draft, received));
      return { created, info: infoOf(key, received) };
    } finally {
      await onDisk(this.#folder, () => rm(draft, { force: true }));
    }
  }

  async stat(key: string): Promise<ObjectInfo | undefined> {
    checkObjectKey(key);
    return onDisk(this.#folder, () => this.#find(key));
  }

  async open(key: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    const info = await this.stat(key);
    if (!info) return undefined;
    const handle = await onDisk(this.#folder, () => openPlain(join(this.#bytes, info.sha256)));
    if (!handle) throw new StoreUnavailable(`The object store in ${this.#folder} has lost the bytes of ${key}.`);
    // Keeps Node's default chunks of 64 KiB: chunks of 256 KiB are faster but leave 15 MiB more garbage.
    return { info, stream: handle.createReadStream(range) };
  }

  /** A disk does not verify bytes, so all of them must be checked. */
  async examine(key: string, expected: StoredFile, { depth, seen }: Examination): Promise<ObjectState> {
    checkObjectKey(key);
    const info = await onDisk(this.#folder, () => this.#read(key));
    if (!info) return 'missing';
    if (info === 'damaged' || info.sha256 !== expected.sha256) return 'altered';
    await using handle = await onDisk(this.#folder, () => openPlain(join(this.#bytes, info.sha256)));
    if (!handle) return 'missing';
    const bySize = stateOfSize((await onDisk(this.#folder, () => handle.stat())).size, expected);
    if (depth === 'size' || bySize !== 'whole') return bySize;
    try {
      return await stateOfBytes(handle.createReadStream({ autoClose: false }), expected, seen);
    } catch (error) {
      if (hasCode(error, 'EIO')) return 'unreadable';
      throw asUnavailable(this.#folder, error);
    }
  }

  remove(_permit: Permit, key: string): Promise<void> {
    checkObjectKey(key);
    return onDisk(this.#folder, async () => {
      const info = await this.#read(key);
      await rm(this.#entry(key), { force: true });
      await syncFolder(this.#keys);
      if (info && info !== 'damaged') await removeBytesOfNobody(this.#folders(), info.sha256);
    });
  }

  async list(after?: string): Promise<KeyPage> {
    const names = await onDisk(this.#folder, () => readdir(this.#keys));
    return keyPage(
      names.map((name) => name.replaceAll('+', '/')),
      after,
      PAGE,
    );
  }

  tidy(): Promise<void> {
    return onDisk(this.#folder, () => removeOutdatedFiles(this.#folders()));
  }

  ping(): Promise<void> {
    return onDisk(this.#folder, () => access(this.#drafts, constants.R_OK | constants.W_OK | constants.X_OK));
  }

  /** A fault of the disk becomes StoreUnavailable; an error of the stream stays as it is. */
  async #write(draft: string, bytes: Readable, expected: ExpectedFacts): Promise<StoredFile> {
    await using handle = await onDisk(this.#folder, () => createFile(draft));
    const received = await receive(bytes, expected, (chunk) => onDisk(this.#folder, () => handle.writeFile(chunk)));
    await onDisk(this.#folder, () => handle.sync());
    return received;
  }

  /** Makes each name durable before the next step depends on it. The object exists once its key's file exists. */
  async #keep(key: string, draft: string, received: StoredFile): Promise<boolean> {
    await this.#dropDamaged(key, received);
    refuseOtherBytes(await this.#find(key), received);
    // Replaces an existing file: it has the same bytes, or a damaged copy of them.
    await rename(draft, join(this.#bytes, received.sha256));
    await syncFolder(this.#bytes);
    const entry = `${received.sha256} ${received.size}\n`;
    const created = await createOnce(this.#entry(key), entry, this.#newDraft());
    await syncFolder(this.#keys);
    if (!created) refuseOtherBytes(await this.#find(key), received);
    return created;
  }

  async #find(key: string): Promise<ObjectInfo | undefined> {
    const found = await this.#read(key);
    if (found !== 'damaged') return found;
    throw new StoreUnavailable(`The object store in ${this.#folder} is damaged at ${this.#entry(key)}.`);
  }

  async #read(key: string): Promise<ObjectInfo | 'damaged' | undefined> {
    await using handle = await openPlain(this.#entry(key));
    if (!handle) return undefined;
    const [, sha256, size] = ENTRY.exec(await handle.readFile('latin1')) ?? [];
    return sha256 ? infoOf(key, { sha256, size: Number(size) }) : 'damaged';
  }

  /**
   * Removes a damaged record. If a key ends with the SHA-256 of its bytes, a record with another SHA-256 is damaged.
   */
  async #dropDamaged(key: string, { sha256, size }: StoredFile): Promise<void> {
    if (!key.endsWith(`/${sha256}`)) return;
    const current = await this.#read(key);
    if (current === undefined || (current !== 'damaged' && current.sha256 === sha256 && current.size === size)) return;
    await rm(this.#entry(key), { force: true });
  }

  #entry(key: string): string {
    return join(this.#keys, key.replaceAll('/', '+'));
  }

  #folders() {
    return { keys: this.#keys, bytes: this.#bytes, drafts: this.#drafts };
  }

  #newDraft(): string {
    return join(this.#drafts, randomUUID());
  }

  #removeStaleDrafts(): void {
    for (const name of readdirSync(this.#drafts)) {
      const draft = join(this.#drafts, name);
      const written = statSync(draft, { throwIfNoEntry: false })?.mtimeMs;
      if (written !== undefined && written < Date.now() - DAY_MS) rmSync(draft, { force: true });
    }
  }
}
