import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { designObjectKey, type StoredFile } from '../../../../domain/shared/stored-file.ts';
import type { ObjectStore } from '../../../../ports/outbound/object-store.ts';

/** Puts a file of the design host into the store. */
export const stored = async (objects: ObjectStore, bytes: Uint8Array): Promise<StoredFile> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await objects.put(grantPermit(), designObjectKey(sha256), Readable.from([bytes]));
  return { sha256, size: bytes.length };
};
