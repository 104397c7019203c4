import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes on disk, in a file of this request that nobody else can read. */
export type Spooled = { readonly size: number; readonly sha256: string; readonly open: () => Readable };

/** A place for one file until the request is answered, outside the store and by a name that says nothing. */
export class Spool {
  readonly #path = join(tmpdir(), `account-service-upload-${randomUUID()}`);
  #written: Promise<Spooled> | undefined;

  /** Takes the stream to its end, in constant memory. Fails as the stream does. */
  write(bytes: Readable): Promise<Spooled> {
    this.#written = this.#write(bytes);
    return this.#written;
  }

  /** Removes the file, once nothing is written to it any more. */
  async remove(): Promise<void> {
    if (this.#written === undefined) return;
    await this.#written.catch(() => {});
    await rm(this.#path, { force: true });
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
