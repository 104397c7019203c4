import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { designObjectKey } from '../../../domain/shared/stored-file.ts';
import type { DesignFiles } from '../../../ports/outbound/design/collect.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';

/** Stores the files of the design host in the object store, together with the files that collectors upload. */
export const storedDesignFiles = ({ objects }: { readonly objects: ObjectStore }): DesignFiles => ({
  async read({ sha256, size }) {
    const opened = await objects.open(designObjectKey(sha256));
    if (!opened) return undefined;
    if (opened.info.size === size) return buffer(opened.stream);
    opened.stream.destroy();
    return undefined;
  },

  async keep(permit, bytes) {
    const file = { sha256: hash('sha256', bytes), size: bytes.length };
    const stream = Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
    await objects.put(permit, designObjectKey(file.sha256), stream, file);
    return file;
  },
});
