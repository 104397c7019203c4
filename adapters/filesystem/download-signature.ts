import { createHmac, timingSafeEqual } from 'node:crypto';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import type { SignedDownload } from '../../ports/outbound/object-store.ts';

const SECRET_BYTES = 32;

/** A file name that every reader takes as one part of a path. Lone surrogates cannot be percent-encoded. */
const FILENAME = /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]{1,255}$/u;

export type Download = { readonly key: string; readonly filename: string; readonly contentType: string };

/**
 * `expired` is a URL that was signed here and has expired. A URL that was not signed here is `invalid`, whatever expiry
 * it names.
 */
export type DownloadAnswer =
  | { readonly state: 'valid'; readonly download: Download }
  | { readonly state: 'expired' }
  | { readonly state: 'invalid' };

export type DownloadSignatureOptions = {
  /** 32 bytes. All processes that serve the downloads share one secret. */
  readonly secret: Uint8Array;
  /** Public address without the downloads path; a function if the address is known only once the server listens. */
  readonly baseUrl: string | (() => string);
  /** Milliseconds since 1970; the machine's clock by default. */
  readonly now?: () => number;
};

/** Compares in constant time; the time reveals only whether the lengths are equal. */
export const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The value of a parameter; undefined if it is missing or given more than once. */
export const only = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
};

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

/**
 * Signs and reads download URLs. Until it expires, a URL gives anybody who has it one object under one name and type:
 * `{base}/downloads/{key}/{filename}?expires={unix seconds}&type={content type}&signature={HMAC-SHA256, base64url}`.
 */
export class DownloadSignature {
  /** The path of the downloads below the base address. */
  readonly path = '/downloads';
  readonly #secret: Uint8Array;
  readonly #baseUrl: () => string;
  readonly #now: () => number;

  constructor({ secret, baseUrl, now = Date.now }: DownloadSignatureOptions) {
    if (secret.length !== SECRET_BYTES) throw new Error(`The download secret must be ${SECRET_BYTES} bytes.`);
    this.#secret = secret;
    this.#baseUrl = typeof baseUrl === 'string' ? () => baseUrl : baseUrl;
    this.#now = now;
  }

  /**
   * Signs a download of a valid key. The expiry is rounded down to seconds. Throws for a file name that cannot be part
   * of a path.
   */
  sign({ key, filename, contentType }: Download, expiresAt: string): SignedDownload {
    if (!FILENAME.test(filename))
      throw new Error('A download needs a file name without slashes and control characters.');
    const seconds = Math.floor(millis(expiresAt) / 1000);
    const expires = String(seconds);
    const signature = this.#signatureOf({ key, filename, contentType }, expires);
    const query = new URLSearchParams({ expires, type: contentType, signature });
    const base = this.#baseUrl().replace(/\/+$/, '');
    return {
      url: `${base}${this.path}/${key}/${encodeURIComponent(filename)}?${query}`,
      expires_at: toInstant(seconds * 1000),
    };
  }

  /** Reads a URL from the part after `path` on: `/{key}/{filename}?…`. */
  read(url: string): DownloadAnswer {
    const [path = '', ...rest] = url.split('?');
    const query = new URLSearchParams(rest.join('?'));
    const parts = path.split('/');
    const filename = decoded(parts.pop() ?? '');
    const contentType = only(query, 'type');
    const expires = only(query, 'expires');
    const signature = only(query, 'signature');
    if (filename === undefined || contentType === undefined || expires === undefined || signature === undefined) {
      return { state: 'invalid' };
    }
    const download = { key: parts.slice(1).join('/'), filename, contentType };
    if (parts[0] !== '' || !isSame(signature, this.#signatureOf(download, expires))) return { state: 'invalid' };
    return Number(expires) * 1000 > this.#now() ? { state: 'valid', download } : { state: 'expired' };
  }

  /**
   * The HMAC of a JSON array, which differs for any two lists of strings. Its first member separates downloads from
   * other uses of the secret.
   */
  #signatureOf({ key, filename, contentType }: Download, expires: string): string {
    const signed = JSON.stringify(['download', key, filename, contentType, expires]);
    return createHmac('sha256', this.#secret).update(signed).digest('base64url');
  }
}
