import type { Permit } from '../../domain/access/permit.ts';
import {
  checkObjectKey,
  type DownloadTerms,
  type SignedDownload,
  type SignedUpload,
  type UploadTerms,
} from '../../ports/outbound/object-store.ts';
import type { DownloadSignature } from './download-signature.ts';
import type { UploadSignature } from './upload-signature.ts';

/** An object store whose signed URLs lead to this service. */
export class SelfSigned {
  readonly #signature: DownloadSignature;
  readonly #uploads: UploadSignature | undefined;

  /** Without `uploads`, the store signs no upload URLs. */
  constructor(signature: DownloadSignature, uploads?: UploadSignature) {
    this.#signature = signature;
    this.#uploads = uploads;
  }

  async signDownload(key: string, { filename, contentType, expiresAt }: DownloadTerms): Promise<SignedDownload> {
    checkObjectKey(key);
    return this.#signature.sign({ key, filename, contentType }, expiresAt);
  }

  async signUpload(_permit: Permit, key: string, { expiresAt, ...bytes }: UploadTerms): Promise<SignedUpload> {
    checkObjectKey(key);
    if (!this.#uploads) throw new Error('This object store was opened without a signer for uploads.');
    return this.#uploads.sign({ key, ...bytes }, expiresAt);
  }
}
