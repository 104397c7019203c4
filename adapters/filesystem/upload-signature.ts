import type { SignedUpload, UploadTerms } from '../../ports/outbound/object-store.ts';
import { only, partsOf, UrlSignature } from './url-signature.ts';

/** The terms of an upload: it accepts only bytes with this SHA-256, size and content type, under one key. */
export type Upload = Omit<UploadTerms, 'expiresAt'> & { readonly key: string };

export type UploadAnswer =
  | { readonly state: 'valid'; readonly upload: Upload }
  | { readonly state: 'expired' | 'invalid' };

const SHA256 = /^[0-9a-f]{64}$/;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

const signedParts = ({ key, sha256, size, contentType }: Upload) => ['upload', key, sha256, String(size), contentType];

/**
 * Signs and verifies upload URLs. Until it expires, a URL lets its holder put exactly the signed bytes:
 * `{base}/uploads/{key}?expires={unix seconds}&sha256={hex}&size={bytes}&type={content type}&signature={HMAC-SHA256}`.
 * The secret may be the same as for downloads.
 */
export class UploadSignature extends UrlSignature {
  readonly path = '/uploads';

  sign(upload: Upload, expiresAt: string): SignedUpload {
    const { key, sha256, size, contentType } = upload;
    const query = { sha256, size: String(size), type: contentType };
    const { url, expires_at } = this.signed(`${this.path}/${key}`, query, signedParts(upload), expiresAt);
    return { method: 'PUT', url, headers: { 'content-type': contentType }, expires_at };
  }

  /** Reads the part of a URL after `path`: `/{key}?…`. */
  read(url: string): UploadAnswer {
    const [path, query] = partsOf(url);
    const [sha256, size, contentType] = ['sha256', 'size', 'type'].map((name) => only(query, name));
    if (sha256 === undefined || size === undefined || contentType === undefined) return { state: 'invalid' };
    if (!path.startsWith('/') || !SHA256.test(sha256) || !SIZE.test(size)) return { state: 'invalid' };
    const upload = { key: path.slice(1), sha256, size: Number(size), contentType };
    const state = this.stateOf(query, signedParts(upload));
    return state === 'valid' ? { state, upload } : { state };
  }
}
