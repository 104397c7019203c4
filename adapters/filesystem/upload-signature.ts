import { createHmac } from 'node:crypto';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import type { SignedUpload, UploadTerms } from '../../ports/outbound/object-store.ts';
import { type DownloadSignatureOptions, isSame, only } from './download-signature.ts';

/** The only bytes that an upload takes: their SHA-256, size and content type, under one key. */
export type Upload = Omit<UploadTerms, 'expiresAt'> & { readonly key: string };

/**
 * `expired` is a URL that was signed here and has expired. A URL that was not signed here is `invalid`, whatever expiry
 * it names.
 */
export type UploadAnswer =
  | { readonly state: 'valid'; readonly upload: Upload }
  | { readonly state: 'expired' }
  | { readonly state: 'invalid' };

const SHA256 = /^[0-9a-f]{64}$/;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/**
 * Signs and reads upload URLs. Until it expires, a URL lets anybody who has it put exactly the signed bytes:
 * `{base}/uploads/{key}?expires={unix seconds}&sha256={hex}&size={bytes}&type={content type}&signature={HMAC-SHA256}`.
 */
export class UploadSignature {
  /** The path of the uploads below the base address. */
  readonly path = '/uploads';
  readonly #secret: Uint8Array;
  readonly #baseUrl: () => string;
  readonly #now: () => number;

  /** The secret may be that of the downloads: a signature of one kind never passes as the other. */
  constructor({ secret, baseUrl, now = Date.now }: DownloadSignatureOptions) {
    this.#secret = secret;
    this.#baseUrl = typeof baseUrl === 'string' ? () => baseUrl : baseUrl;
    this.#now = now;
  }

  /** Signs an upload to a valid key. The expiry is rounded down to seconds. */
  sign(upload: Upload, expiresAt: string): SignedUpload {
    const seconds = Math.floor(millis(expiresAt) / 1000);
    const expires = String(seconds);
    const { key, sha256, size, contentType } = upload;
    const signature = this.#signatureOf(upload, expires);
    const query = new URLSearchParams({ expires, sha256, size: String(size), type: contentType, signature });
    return {
      method: 'PUT',
      url: `${this.#baseUrl().replace(/\/+$/, '')}${this.path}/${key}?${query}`,
      headers: { 'content-type': contentType },
      expires_at: toInstant(seconds * 1000),
    };
  }

  /** Reads a URL from the part after `path` on: `/{key}?…`. */
  read(url: string): UploadAnswer {
    const [path = '', ...rest] = url.split('?');
    const query = new URLSearchParams(rest.join('?'));
    const given = ['expires', 'sha256', 'size', 'type', 'signature'].map((name) => only(query, name));
    const [expires, sha256, size, contentType, signature] = given;
    if (expires === undefined || sha256 === undefined || size === undefined) return { state: 'invalid' };
    if (contentType === undefined || signature === undefined) return { state: 'invalid' };
    if (!path.startsWith('/') || !SHA256.test(sha256) || !SIZE.test(size)) return { state: 'invalid' };
    const upload = { key: path.slice(1), sha256, size: Number(size), contentType };
    if (!isSame(signature, this.#signatureOf(upload, expires))) return { state: 'invalid' };
    return Number(expires) * 1000 > this.#now() ? { state: 'valid', upload } : { state: 'expired' };
  }

  /**
   * The HMAC of a JSON array, which differs for any two lists of strings. Its first member separates uploads from other
   * uses of the secret.
   */
  #signatureOf({ key, sha256, size, contentType }: Upload, expires: string): string {
    const signed = JSON.stringify(['upload', key, sha256, String(size), contentType, expires]);
    return createHmac('sha256', this.#secret).update(signed).digest('base64url');
  }
}
