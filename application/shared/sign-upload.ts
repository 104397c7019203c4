import type { Permit } from '../../domain/access/permit.ts';
import type { ObjectStore, SignedUpload, UploadTerms } from '../../ports/outbound/object-store.ts';

/**
 * Signs an upload of a file; null if the store has one under the key. Browsers don't display these bytes from the
 * store.
 */
export const signUpload = async (
  permit: Permit,
  objects: ObjectStore,
  key: string,
  terms: Omit<UploadTerms, 'contentType'>,
): Promise<SignedUpload | null> =>
  (await objects.stat(key))
    ? null
    : objects.signUpload(permit, key, { ...terms, contentType: 'application/octet-stream' });
