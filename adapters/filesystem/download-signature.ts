import { createHmac, timingSafeEqual } from 'node:crypto';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import type { SignedDownload } from '../../ports/outbound/object-store.ts';

const SECRET_BYTES = 32;

/** A name that stays one part of a path whatever reads it; lone surrogates cannot be percent-encoded. */
const FILENAME = /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]{1,255}$/u;

export type Download = { readonly key: string; readonly filename: string; readonly contentType: string };

/** `expired` only for what was once valid; whatever was not signed here is `invalid`, however old it claims to be. */
export type DownloadAnswer =
  | { readonly state: 'valid'; readonly download: Download }
  | { readonly state: 'expired' }
  | { readonly state: 'invalid' };

export type DownloadSignatureOptions = {
  /** 32 bytes; every process that serves the downloads has the same. */
  readonly secret: Uint8Array;
  /** Public address without the downloads path. A function where it is known only once the server listens. */
  readonly baseUrl: string | (() => string);
  /** Milliseconds since 1970; the machine's clock if left out. */
  readonly now?: () => number;
};

/** The two equal in constant time; only their length can be found out. */
const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The one value of a parameter; undefined where it is missing or there are several. */
const only = (query: URLSearchParams, name: string): string | undefined => {
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
 * URLs that give whoever holds them one object under one name and type until they expire:
 * `{base}/downloads/{key}/{filename}?expires={unix seconds}&type={content type}&signature={HMAC-SHA256, base64url}`.
 */
export class DownloadSignature {
  /** Where, below the base address, the downloads are served. */
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

  /** Throws where a file name could not stand in a path. The key must be a valid one. */
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

  /** What a URL stands for, given from behind `path` on: `/{key}/{filename}?…`. */
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

  /** Over a JSON array, which no two lists of strings share; its first member keeps the secret's other uses apart. */
  #signatureOf({ key, filename, contentType }: Download, expires: string): string {
    const signed = JSON.stringify(['download', key, filename, contentType, expires]);
    return createHmac('sha256', this.#secret).update(signed).digest('base64url');
  }
}
