import { createHmac, timingSafeEqual } from 'node:crypto';
import { millis, toInstant } from '../../domain/shared/instant.ts';

const SECRET_BYTES = 32;

export type UrlSignatureOptions = {
  /** 32 bytes. All processes that serve the URLs share one secret. */
  readonly secret: Uint8Array;
  /** The public base URL; a function if it is known only once the server listens. */
  readonly baseUrl: string | (() => string);
  /** Milliseconds since 1970; the machine's clock by default. */
  readonly now?: () => number;
};

/** Compares in constant time; the time reveals only whether the lengths are equal. */
const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The value of a parameter; undefined if it is missing or given more than once. */
export const only = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
};

export const partsOf = (url: string): [path: string, query: URLSearchParams] => {
  const [path = '', ...rest] = url.split('?');
  return [path, new URLSearchParams(rest.join('?'))];
};

/**
 * Signs URLs and verifies them until they expire. The signature covers the strings in `parts`; the first of them
 * separates the uses of the secret.
 */
export class UrlSignature {
  readonly #secret: Uint8Array;
  readonly #baseUrl: () => string;
  readonly #now: () => number;

  constructor({ secret, baseUrl, now = Date.now }: UrlSignatureOptions) {
    if (secret.length !== SECRET_BYTES) throw new Error(`The secret of signed URLs must be ${SECRET_BYTES} bytes.`);
    this.#secret = secret;
    this.#baseUrl = typeof baseUrl === 'string' ? () => baseUrl : baseUrl;
    this.#now = now;
  }

  /** The URL of a path, with the query, the expiry and the signature. The expiry is rounded down to seconds. */
  protected signed(path: string, query: Readonly<Record<string, string>>, parts: readonly string[], expiresAt: string) {
    const seconds = Math.floor(millis(expiresAt) / 1000);
    const expires = String(seconds);
    const signedQuery = new URLSearchParams({ expires, ...query, signature: this.#hmac([...parts, expires]) });
    return {
      url: `${this.#baseUrl().replace(/\/+$/, '')}${path}?${signedQuery}`,
      expires_at: toInstant(seconds * 1000),
    };
  }

  /**
   * `expired` for a URL that was signed here and has expired. A URL that was not signed here is `invalid`, whatever its
   * expiry.
   */
  protected stateOf(query: URLSearchParams, parts: readonly string[]): 'valid' | 'expired' | 'invalid' {
    const [expires, signature] = [only(query, 'expires'), only(query, 'signature')];
    if (expires === undefined || signature === undefined) return 'invalid';
    if (!isSame(signature, this.#hmac([...parts, expires]))) return 'invalid';
    return Number(expires) * 1000 > this.#now() ? 'valid' : 'expired';
  }

  /** The HMAC of a JSON array, which differs for any two lists of strings. */
  #hmac(strings: readonly string[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(strings)).digest('base64url');
  }
}
