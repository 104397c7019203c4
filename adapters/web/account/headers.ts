import { NO_STORE } from '../../host/reply.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * The headers of every page. No cache keeps one, no site frames one, and a page loads nothing from elsewhere. With
 * `same-origin` as the policy for referrers, browsers still name the origin of our own forms, and tell other sites
 * nothing.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': NO_STORE,
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
