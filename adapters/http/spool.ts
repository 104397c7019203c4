import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes on disk, in a file of this request that nobody else can read. */
export type Spooled = { readonly size: number; readonly sha256: string; readonly open: () => Readable };

/**
 * Forms that one process receives at once. At 20 MiB each they take 640 MiB of disk, and a few descriptors; a shop that
 * needs more at the same moment has more than a disk to see to.
 */
export const FORMS_AT_ONCE = 32;

/** Before the name of every file, so that nothing else in the folder is ever removed. */
const PREFIX = 'account-service-upload-';

/** A request ends long before, so that a file this old was left by a process that was killed. */
const LEFT_AFTER_MS = 60 * 60 * 1000;

/**
 * The folder that a process spools files to. It has to be there, to be on a disk (memory holds fewer files), and nobody
 * else should be able to look into it.
 */
export class SpoolFolder {
  readonly #folder: string;
  #taken = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A place for the file of one request, to be removed when it is answered; undefined while as many are taken as may be. */
  take(): Spool | undefined {
    if (this.#taken >= FORMS_AT_ONCE) return undefined;
    this.#taken++;
    return new Spool(join(this.#folder, `${PREFIX}${randomUUID()}`), () => void this.#taken--);
  }

  /** Removes what processes that were killed have left, an hour later; `now` in milliseconds since 1970. */
  async sweep(now: number): Promise<void> {
    const names = await readdir(this.#folder);
    for (const name of names.filter((one) => one.startsWith(PREFIX))) {
      const path = join(this.#folder, name);
      // Another process may have removed it meanwhile.
      const written = await stat(path).catch(() => undefined);
      if (written && now - written.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true });
    }
  }
}

/** A place for one file until the request is answered, outside the store and by a name that says nothing. */
export class Spool {
  readonly #path: string;
  readonly #removed: () => void;
  #written: Promise<Spooled> | undefined;

  constructor(path: string, removed: () => void) {
    this.#path = path;
    this.#removed = removed;
  }

  /** Takes the stream to its end, in constant memory. Fails as the stream does. */
  write(bytes: Readable): Promise<Spooled> {
    this.#written = this.#write(bytes);
    return this.#written;
  }

  /** Removes the file, once nothing is written to it any more, and gives up the place. */
  async remove(): Promise<void> {
    try {
      if (this.#written === undefined) return;
      await this.#written.catch(() => {});
      await rm(this.#path, { force: true });
    } finally {
      this.#removed();
    }
  }

  async #write(bytes: Readable): Promise<Spooled> {
    const hash = createHash('sha256');
    let size = 0;
    const told = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    await pipeline(bytes, told, createWriteStream(this.#path, { flags: 'wx', mode: 0o600 }));
    return { size, sha256: hash.digest('hex'), open: () => createReadStream(this.#path) };
  }
}
