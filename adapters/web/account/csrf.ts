import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A new secret for a cookie that forms are bound to. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The token of the forms that belong to a cookie (OWASP, "HMAC based token pattern"). Its key is the cookie's value,
 * which other sites can't read, so no secret of the server is needed and the token does not tell the cookie.
 */
export const csrfToken = (secret: string): string => tokenOf(secret, 'form');

const tokenOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/** The token of a text in the address of the next page, so no link of another site makes that page say it. */
export const saidToken = (secret: string, text: string): string => tokenOf(secret, `said ${text}`);

/** True if the form carries the token of this cookie, or the address that of the text that it says. */
export const isTokenOf = (secret: string, sent: string, said?: string): boolean => {
  const token = said === undefined ? csrfToken(secret) : saidToken(secret, said);
  const [expected, given] = [Buffer.from(token), Buffer.from(sent)];
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
