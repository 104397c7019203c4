import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A new secret for a cookie that forms are bound to. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The token of the forms that belong to a cookie (OWASP, "HMAC based token pattern"). Its key is the cookie's value,
 * which other sites can't read, so that no secret of the server is needed and the token does not tell the cookie.
 */
export const csrfToken = (secret: string): string => createHmac('sha256', secret).update('form').digest('base64url');

/** True if the form carries the token of this cookie. */
export const isTokenOf = (secret: string, sent: string): boolean => {
  const [expected, given] = [Buffer.from(csrfToken(secret)), Buffer.from(sent)];
  return expected.length === given.length && timingSafeEqual(expected, given);
};

/**
 * True for a form that a page of this origin sent, as far as the browser tells: by Origin (RFC 6454), and by
 * Sec-Fetch-Site (Fetch Metadata). A browser that names neither has only the token to show.
 */
export const isFromOrigin = (headers: IncomingHttpHeaders, origin: string): boolean => {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined && headers.origin !== origin) return false;
  return site === undefined || site === 'same-origin';
};
