import { createHash, type Hash, hash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lookup } from 'mime-types';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { ChecksumMismatch, type ObjectBytes, type ObjectStore } from '../../ports/outbound/object-store.ts';
import type { FileFacts, ReadBytes, StoreFiles } from '../../ports/outbound/store-document.ts';
import { hasCode } from './storage-faults.ts';

const READ_BYTES = 256 * 1024;

const leadsNowhere = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].some((code) => hasCode(error, code));

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

const counting = (read: ReadBytes): Transform =>
  new Transform({
    highWaterMark: READ_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      read(chunk.length);
      done(null, chunk);
    },
  });

const factsOf = async (path: string, bytes: ObjectBytes, read?: ReadBytes): Promise<FileFacts> => {
  const [sum, sha1, sha512] = ['sha256', 'sha1', 'sha512'].map((name) => createHash(name)) as [Hash, Hash, Hash];
  let size = 0;
  for await (const chunk of bytes) {
    for (const one of [sum, sha1, sha512]) one.update(chunk);
    size += chunk.length;
    read?.(chunk.length);
  }
  const sums = { sha1: sha1.digest('hex'), sha512: sha512.digest('base64') };
  return { size, sha256: sum.digest('hex'), sums, content_type: lookup(path) || 'application/octet-stream' };
};

/** Files uploaded to the object store, as `SHA-256/NAME`. */
export class UploadedFiles implements StoreFiles {
  readonly #objects: ObjectStore;

  constructor({ objects }: { readonly objects: ObjectStore }) {
    this.#objects = objects;
  }

  async size(path: string): Promise<number | undefined> {
    return (await this.#objects.stat(this.#key(path)))?.size;
  }

  async facts(path: string, read?: ReadBytes): Promise<FileFacts | undefined> {
    const object = await this.#objects.open(this.#key(path));
    return object && factsOf(path, object.stream, read);
  }

  async open(path: string): Promise<ObjectBytes> {
    const object = await this.#objects.open(this.#key(path));
    if (!object) throw new Error(`The file ${path} is gone from the object store.`);
    return object.stream;
  }

  async read(path: string, sha256: string): Promise<Uint8Array> {
    const bytes = Buffer.concat(await Array.fromAsync(await this.open(path)));
    if (hash('sha256', bytes, 'hex') !== sha256) throw new ChecksumMismatch(`${path} is damaged in the object store.`);
    return bytes;
  }

  async list(): Promise<undefined> {}

  #key(path: string): string {
    return objectKeyOf(path.slice(0, path.indexOf('/')));
  }
}

/**
 * Files below a folder of this machine. A path or link that leads out of the folder counts as missing and is never
 * opened.
 */
export class FilesystemStoreFiles implements StoreFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async size(path: string): Promise<number | undefined> {
    const found = await this.#find(path);
    return found?.stats.isFile() ? found.stats.size : undefined;
  }

  async facts(path: string, read?: ReadBytes): Promise<FileFacts | undefined> {
    if ((await this.size(path)) === undefined) return undefined;
    return factsOf(path, await this.open(path), read);
  }

  async open(path: string, read?: ReadBytes): Promise<ObjectBytes> {
    const bytes = (await this.#open(path)).createReadStream({ highWaterMark: READ_BYTES });
    if (!read) return bytes;
    const counted = counting(read);
    // A read error destroys `counted`, and the reader of `counted` handles it.
    pipeline(bytes, counted).catch(() => {});
    return counted;
  }

  async read(path: string, sha256: string): Promise<Uint8Array> {
    await using handle = await this.#open(path);
    const bytes = await handle.readFile();
    if (hash('sha256', bytes, 'hex') !== sha256) throw new ChecksumMismatch(`${path} has changed while it was read.`);
    return bytes;
  }

  async list(folder: string): Promise<string[] | undefined> {
    const found = await this.#find(folder);
    if (!found?.stats.isDirectory()) return undefined;
    const entries = await readdir(found.real, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(found.real, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !isHidden(path))
      .sort();
  }

  async #open(path: string) {
    const found = await this.#find(path);
    if (!found?.stats.isFile()) throw new Error(`There is no file ${path} in ${this.#folder} any more.`);
    return open(found.real, constants.O_RDONLY | constants.O_NOFOLLOW);
  }

  /** The path with links resolved; undefined if it does not exist or leads out of the folder. */
  async #find(path: string): Promise<{ real: string; stats: Stats } | undefined> {
    try {
      const [root, real] = await Promise.all([realpath(this.#folder), realpath(resolve(this.#folder, path))]);
      const inside = relative(root, real);
      if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(root, inside) !== real) return undefined;
      return { real, stats: await stat(real) };
    } catch (error) {
      if (leadsNowhere(error)) return undefined;
      throw error;
    }
  }
}
