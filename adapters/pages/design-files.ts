import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Permit } from '../../domain/access/permit.ts';
import { designObjectKey, type StoredFile } from '../../domain/shared/stored-file.ts';
import type { DesignFiles } from '../../ports/outbound/collect.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** Keeps the files of the design host in the object store, beside those that collectors upload. */
export class StoredDesignFiles implements DesignFiles {
  readonly #objects: ObjectStore;

  constructor({ objects }: { readonly objects: ObjectStore }) {
    this.#objects = objects;
  }

  async read({ sha256, size }: StoredFile): Promise<Uint8Array | undefined> {
    const opened = await this.#objects.open(designObjectKey(sha256));
    if (!opened) return undefined;
    if (opened.info.size !== size) {
      opened.stream.destroy();
      return undefined;
    }
    return buffer(opened.stream);
  }

  async keep(permit: Permit, bytes: Uint8Array): Promise<StoredFile> {
    const file = { sha256: hash('sha256', bytes), size: bytes.length };
    const stream = Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
    await this.#objects.put(permit, designObjectKey(file.sha256), stream, file);
    return file;
  }
}
