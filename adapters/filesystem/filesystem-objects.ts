import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { access, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { DAY_MS } from '../../domain/shared/instant.ts';
import { type KeyPage, keyPage, type ObjectListing } from '../../ports/outbound/object-listing.ts';
import {
  type ByteRange,
  checkObjectKey,
  ObjectExists,
  type ObjectInfo,
  type ObjectStore,
  type SignedDownload,
} from '../../ports/outbound/object-store.ts';
import { StoreUnavailable } from '../store/table.ts';
import type { DownloadSignature } from './download-signature.ts';
import { createFile, createOnce, openPlain, syncFolder } from './durable-files.ts';
import { removeOutdatedFiles } from './outdated-files.ts';
import { type Received, receive } from './receive.ts';
import { asUnavailable, onDisk } from './storage-faults.ts';

const ENTRY = /^([0-9a-f]{64}) (\d{1,16})\n$/;

/** Keys of a page: many, for each reads the names of the whole folder. */
const PAGE = 10_000;

/**
 * Objects in a folder that only its owner may read, of three parts:
 * - `bytes/` has each object's bytes once, named by their SHA-256, so that `sha256sum` can check them;
 * - `keys/` has for each key a line with SHA-256 and size, which is what makes an object exist;
 * - `drafts/` has what is being received. What lies there for over a day is removed when the store is opened.
 *
 * A key's file is the key with `+`, which no key has, for `/`: so no key leads out of its folder, and links are not
 * followed. Bytes whose key was lost to another put in the same moment, or to a power failure, may stay in `bytes/`;
 * they cannot be read. Whatever the disk refuses fails with StoreUnavailable.
 */
export class FilesystemObjects implements ObjectStore, ObjectListing {
  readonly #folder: string;
  readonly #bytes: string;
  readonly #keys: string;
  readonly #drafts: string;
  readonly #signature: DownloadSignature;

  /** Makes the folder where there is none. */
  constructor(folder: string, signature: DownloadSignature) {
    this.#folder = resolve(folder);
    this.#bytes = join(this.#folder, 'bytes');
    this.#keys = join(this.#folder, 'keys');
    this.#drafts = join(this.#folder, 'drafts');
    this.#signature = signature;
    try {
      for (const part of [this.#bytes, this.#keys, this.#drafts]) mkdirSync(part, { recursive: true, mode: 0o700 });
      this.#removeStaleDrafts();
    } catch (error) {
      throw asUnavailable(this.#folder, error);
    }
  }

  async put(
    key: string,
    bytes: Readable,
    expected: { sha256?: string; size?: number } = {},
  ): Promise<{ created: boolean; info: ObjectInfo }> {
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

  async open(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | undefined> {
    const info = await this.stat(key);
    if (!info) return undefined;
    const handle = await onDisk(this.#folder, () => openPlain(join(this.#bytes, info.sha256)));
    if (!handle) throw new StoreUnavailable(`The object store in ${this.#folder} has lost the bytes of ${key}.`);
    // In node's own pieces of 64 KiB: pieces of 256 KiB are faster, and leave 15 MiB more behind for the collector.
    return { info, stream: handle.createReadStream(range) };
  }

  async signDownload(
    key: string,
    { filename, contentType, expiresAt }: { filename: string; contentType: string; expiresAt: string },
  ): Promise<SignedDownload> {
    checkObjectKey(key);
    return this.#signature.sign({ key, filename, contentType }, expiresAt);
  }

  async list(after?: string): Promise<KeyPage> {
    const names = await onDisk(this.#folder, () => readdir(this.#keys));
    return keyPage(
      names.map((name) => name.replaceAll('+', '/')),
      after,
      PAGE,
    );
  }

  /** Removes what is outdated: files of reports that have been kept for as long as they are to be. */
  tidy(): Promise<void> {
    const folders = { keys: this.#keys, bytes: this.#bytes, drafts: this.#drafts };
    return onDisk(this.#folder, () => removeOutdatedFiles(folders));
  }

  ping(): Promise<void> {
    return onDisk(this.#folder, () => access(this.#drafts, constants.R_OK | constants.W_OK | constants.X_OK));
  }

  /** Only what the disk refuses becomes StoreUnavailable: an error of the stream stays what it was. */
  async #write(draft: string, bytes: Readable, expected: { sha256?: string; size?: number }): Promise<Received> {
    await using handle = await onDisk(this.#folder, () => createFile(draft));
    const received = await receive(bytes, expected, (chunk) => onDisk(this.#folder, () => handle.writeFile(chunk)));
    await onDisk(this.#folder, () => handle.sync());
    return received;
  }

  /** Each name is made durable before the next step leans on it; an object exists once its key's file does. */
  async #keep(key: string, draft: string, received: Received): Promise<boolean> {
    await this.#refuseOtherBytes(key, received);
    // Over what may be there: the same bytes, or what damage has left of them.
    await rename(draft, join(this.#bytes, received.sha256));
    await syncFolder(this.#bytes);
    const entry = `${received.sha256} ${received.size}\n`;
    const created = await createOnce(this.#entry(key), entry, this.#newDraft());
    await syncFolder(this.#keys);
    if (!created) await this.#refuseOtherBytes(key, received);
    return created;
  }

  async #refuseOtherBytes(key: string, { sha256 }: Received): Promise<void> {
    const kept = await this.#find(key);
    if (kept && kept.sha256 !== sha256) throw new ObjectExists(`${key} is kept with other bytes.`);
  }

  async #find(key: string): Promise<ObjectInfo | undefined> {
    await using handle = await openPlain(this.#entry(key));
    if (!handle) return undefined;
    const [, sha256, size] = ENTRY.exec(await handle.readFile('latin1')) ?? [];
    if (!sha256) throw new StoreUnavailable(`The object store in ${this.#folder} is damaged at ${this.#entry(key)}.`);
    return infoOf(key, { sha256, size: Number(size) });
  }

  #entry(key: string): string {
    return join(this.#keys, key.replaceAll('/', '+'));
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

const infoOf = (key: string, { size, sha256 }: Received): ObjectInfo => ({ key, size, sha256, etag: `"${sha256}"` });
