import type { Permit } from '../../domain/access/permit.ts';
import { CAPTURE_FILES, type CaptureFile } from '../../domain/collect/promised-file.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { designObjectKey, type StoredFile } from '../../domain/shared/stored-file.ts';
import type { ObjectStore, SignedUpload } from '../../ports/outbound/object-store.ts';
import { signUpload } from '../shared/sign-upload.ts';

/** The files that a collector promised. */
export type PromisedFiles = Readonly<Record<CaptureFile, StoredFile | null>>;

/** The uploads by which promised files come. */
export type SignedUploads = Readonly<Partial<Record<CaptureFile, SignedUpload>>>;

/** Signs an upload for each promised file that the store lacks; null where it lacks none. */
export const signUploads = async (
  permit: Permit,
  objects: ObjectStore,
  promised: PromisedFiles,
  expiresAt: Instant,
): Promise<SignedUploads | null> => {
  const signed = await Promise.all(
    CAPTURE_FILES.map(async (part): Promise<[CaptureFile, SignedUpload][]> => {
      const file = promised[part];
      const signed = file && (await signUpload(permit, objects, designObjectKey(file.sha256), { ...file, expiresAt }));
      return signed ? [[part, signed]] : [];
    }),
  );
  const uploads = signed.flat();
  return uploads.length === 0 ? null : Object.fromEntries(uploads);
};
