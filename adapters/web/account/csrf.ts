import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A new secret for a cookie that binds forms. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The CSRF token of the forms that a cookie binds (OWASP, "HMAC based token pattern"). Its key is the cookie's value,
 * which other sites can't read, so the server needs no secret, and the token does not reveal the cookie.
 */
export const csrfToken = (secret: string): string => tokenOf(secret, 'form');

const tokenOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/**
 * The token of a text in the URL of the next page. Without it, a link on another site could put words into that page.
 */
export const saidToken = (secret: string, text: string): string => tokenOf(secret, `said ${text}`);

/** True if a form has the token of this cookie, or, with `said`, if a URL has the token of that text. */
export const isTokenOf = (secret: string, sent: string, said?: string): boolean => {
  const token = said === undefined ? csrfToken(secret) : saidToken(secret, said);
  const [expected, actual] = [Buffer.from(token), Buffer.from(sent)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

/**
 * True for a form from a page of this origin, as far as the browser reports: by Origin (RFC 6454), and by
 * Sec-Fetch-Site (Fetch Metadata). If a browser sends neither, only the token counts.
 */
export const isFromOrigin = (headers: IncomingHttpHeaders, origin: string): boolean => {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined && headers.origin !== origin) return false;
  return site === undefined || site === 'same-origin';
};
