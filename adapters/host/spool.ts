import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** A file of this request, readable only by the process's user. */
export type SpooledFile = { readonly size: number; readonly sha256: string; readonly open: () => Readable };

/**
 * The maximum number of forms that a process receives at once. At 40 MiB, the largest size, they take 1.25 GiB of disk.
 */
export const FORMS_AT_ONCE = 32;

/** The maximum number of forms received from one caller at once, so that a stalling caller leaves room for others. */
const FORMS_OF_CALLER = 20;

/** The prefix of every spooled file. `sweep` removes no other file. */
const PREFIX = 'account-service-upload-';

/** Every request ends long before this time. An older file was left behind by a killed process. */
const LEFT_AFTER_MS = 60 * 60 * 1000;

/**
 * The folder for spooled files. It must exist. It should be on a disk, because memory holds fewer files, and be
 * readable only by this user.
 */
export class SpoolFolder {
  readonly #folder: string;
  readonly #forms = new ConcurrencyLimit({ all: FORMS_AT_ONCE, ofOwner: FORMS_OF_CALLER });

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The files of one request; undefined while too many forms are open, in total or of its owner. The caller removes
   * them when the request is answered.
   */
  take(owner: string): Spool | undefined {
    const end = this.#forms.begin(owner);
    return end && new Spool(join(this.#folder, `${PREFIX}${randomUUID()}`), end);
  }

  /** The number of forms being received or answered. */
  get formsOpen(): number {
    return this.#forms.running;
  }

  /** Removes files that killed processes left more than an hour ago. `now` is in milliseconds since 1970. */
  async sweep(now: number): Promise<void> {
    const names = await readdir(this.#folder);
    for (const name of names.filter((one) => one.startsWith(PREFIX))) {
      const path = join(this.#folder, name);
      // Another process may have removed it in the meantime.
      const written = await stat(path).catch(() => undefined);
      if (written && now - written.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true });
    }
  }
}

/** The files of one request until it is answered. They are outside the store and have random names. */
export class Spool {
  readonly #path: string;
  readonly #removed: () => void;
  readonly #written: { readonly path: string; readonly done: Promise<SpooledFile> }[] = [];

  constructor(path: string, removed: () => void) {
    this.#path = path;
    this.#removed = removed;
  }

  /** Writes a stream to a new file, in constant memory. Rejects with the error of the stream or the disk. */
  write(bytes: Readable): Promise<SpooledFile> {
    const path = `${this.#path}.${this.#written.length}`;
    const done = writeFile(bytes, path);
    this.#written.push({ path, done });
    return done;
  }

  /** Removes the files and ends the form, after pending writes. */
  async remove(): Promise<void> {
    try {
      await Promise.allSettled(this.#written.map(({ done }) => done));
      await Promise.all(this.#written.map(({ path }) => rm(path, { force: true })));
    } finally {
      this.#removed();
    }
  }
}

const writeFile = async (bytes: Readable, path: string): Promise<SpooledFile> => {
  const hash = createHash('sha256');
  let size = 0;
  const measured = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(bytes, measured, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { size, sha256: hash.digest('hex'), open: () => createReadStream(path) };
};
