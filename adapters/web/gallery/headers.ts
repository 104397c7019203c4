const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * The headers of every page. No site frames a page, and a page runs no script and loads nothing from elsewhere. Pages
 * are the same for everybody, so that any cache may keep them for as long as it asks whether they have changed.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'public, no-cache',
  vary: 'Accept-Language',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
