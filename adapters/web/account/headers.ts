import { isUploadedLogo } from '../../../domain/catalog/logo.ts';
import { NO_STORE } from '../../host/reply.ts';
import { NO_SHOP, type Shop } from './shop.ts';

/** A picture's URL as a policy source; a semicolon or a comma would end the source, so they are escaped. */
const allowed = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return ` ${origin}${pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')}`;
};

/** The URLs of the shop's logo on other hosts, to append to the sources of a policy. */
export const logosOf = ({ storefront }: Shop): string =>
  [storefront?.logo_url, storefront?.logo_dark_url]
    .map((url) => (url && !isUploadedLogo(url) ? allowed(url) : ''))
    .join('');

/**
 * The content security policy. Pages load nothing external except the shop's logo, whose URLs are listed individually.
 * `connects` lists the sources to which their scripts may send.
 */
export const policyOf = (shop: Shop, connects = ''): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src 'self'${logosOf(shop)}`,
    ...(connects ? [`connect-src ${connects}`] : []),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/**
 * The headers of every page. No cache stores it and no site frames it; `policyOf` says what a page may load. With the
 * referrer policy `same-origin`, browsers still send the origin with our own forms, and reveal nothing to other sites.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': NO_STORE,
  'content-security-policy': policyOf(NO_SHOP),
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
