import { buffer } from 'node:stream/consumers';
import { StoreUnavailable } from '../../../adapters/store/table.ts';
import type { SignedFile } from '../../../domain/delivery/feed-faults.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';
import type { Service } from '../../composition/service.ts';

/** The bytes of a file; undefined if they are lost or cut off, which the check of the files reports. */
const bytesOf = async (objects: ObjectStore, { sha256, size }: SignedFile): Promise<Uint8Array | undefined> => {
  try {
    const opened = await objects.open(objectKeyOf(sha256));
    const bytes = opened && (await buffer(opened.stream));
    return bytes?.length === size ? bytes : undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
};

/**
 * The names of the files whose signature none of the store's keys made, because their key was revoked or another store
 * signed them. Each file is read as a whole, one at a time.
 */
export const unknownSignatures = async (service: Service, files: readonly SignedFile[]): Promise<string[]> => {
  const signer = service.get('artifactSigner');
  const found: string[] = [];
  for (const file of files) {
    const bytes = await bytesOf(service.get('objects'), file);
    if (bytes && (await signer.signerOf(bytes, file.signature)) === undefined) found.push(file.name);
  }
  return found;
};
