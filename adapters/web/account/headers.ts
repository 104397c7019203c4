import { NO_STORE } from '../../host/reply.ts';
import { NO_SHOP, type Shop } from './shop.ts';

/** The address of a picture as the policy has it, where a semicolon and a comma would end it. */
const allowed = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return ` ${origin}${pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')}`;
};

/** The addresses of the shop's logo, as a policy lists them after others. */
export const logosOf = ({ storefront }: Shop): string =>
  [storefront?.logo_url, storefront?.logo_dark_url].map((url) => (url ? allowed(url) : '')).join('');

/** The pages load nothing from elsewhere but the shop's logo, whose addresses the policy names one by one. */
export const policyOf = (shop: Shop): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src 'self'${logosOf(shop)}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/**
 * The headers of every page. No cache keeps one, no site frames one, and `policyOf` says what a page may load. With
 * `same-origin` as the policy for referrers, browsers still name the origin of our own forms, and tell other sites
 * nothing.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': NO_STORE,
  'content-security-policy': policyOf(NO_SHOP),
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
