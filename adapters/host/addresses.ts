import type { Host } from '../../ports/inbound/hosts.ts';
import type { DownloadLink, InstallLink, Links } from '../../ports/outbound/links.ts';

/** The public URLs of the hosts, without a trailing slash. */
export type Addresses = {
  readonly urls: Readonly<Record<Host, string>>;
  /** The URL of the legacy host, if it has its own name. */
  readonly legacyUrl?: string | undefined;
  /** The origins whose pages may call the API, app and design hosts from a browser; none if it is absent. */
  readonly corsOrigins?: readonly string[] | undefined;
};

const assetPath = (product_id: number, path: string): string =>
  `/api/products/${product_id}/content-assets/${path.split('/').map(encodeURIComponent).join('/')}`;

const withQuery = (address: string, query: DownloadLink | InstallLink): string => {
  const fields = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value)]],
  );
  return fields.length === 0 ? address : `${address}?${new URLSearchParams(fields)}`;
};

export const linksOn = (urls: Readonly<Record<Host, string>>): Links => ({
  product: (product_id) => `${urls.api}/api/products/${product_id}`,
  productDetail: (product_id) => `${urls.api}/api/products/${product_id}/detail`,
  bundle: (product_id) => `${urls.api}/api/products/${product_id}/bundle`,
  installPlan: (product_id, link) => withQuery(`${urls.api}/api/products/${product_id}/install`, link),
  contentAsset: (product_id, path) => urls.api + assetPath(product_id, path),
  contentAssetPath: assetPath,
  manageDevices: (product_id) => `${urls.account}/devices?product=${product_id}`,
  ownPage: (page) => `${urls.account}/${page}`,
  signInLink: (code, next) =>
    `${urls.account}/sign-in/link?${new URLSearchParams({ code, ...(next !== undefined && { next }) })}`,
  consoleLink: (code, next) =>
    `${urls.shop}/sign-in/link?${new URLSearchParams({ code, ...(next !== undefined && { next }) })}`,
  setupLink: (code) => `${urls.shop}/setup?${new URLSearchParams({ code })}`,
  emailLink: (code) => `${urls.account}/profile/email?${new URLSearchParams({ code })}`,
  undoLink: (code) => `${urls.account}/undo-email?${new URLSearchParams({ code })}`,
  signInCallback: () => `${urls.account}/sign-in/callback`,
  appcast: (product_id) => `${urls.app}/distribution/v1/products/${product_id}/appcast.xml`,
  releaseDownload: (release_id, link) => withQuery(`${urls.app}/distribution/v1/releases/${release_id}/download`, link),
  console: (path) => `${urls.shop}/${path}`,
  design: (path) => urls.design + path,
  issuer: urls.api,
});

/** A host with its own endpoints, or the legacy host, which has the endpoints of the API host. */
export type ServedHost = Host | 'legacy';

/**
 * The origins whose pages may call a host: those of the settings, and on the app and design hosts also the API host,
 * whose reference page calls them. No other origin may call the account host, and the legacy host does not forward
 * Origin.
 */
export const originsOf = (name: ServedHost, { urls, corsOrigins = [] }: Addresses): readonly string[] => {
  if (name === 'account' || name === 'legacy') return [];
  return name === 'api' ? corsOrigins : [new URL(urls.api).origin, ...corsOrigins];
};

/** True for the paths of the health checks, which every host answers itself, whichever app shares its server. */
export const isHealth = (path: string): boolean => /^\/(?:health|ready)z\/?$/.test(path);

/** The paths of the shop host's routes; the one of its MCP begins with `/api` too. */
const OF_SHOP_HOST = /^\/(?:api|\.well-known|healthz|readyz|openapi\.json)(?:\/|$)/;

/** True for the path of a page of the console. All other paths of the shop host belong to its endpoints. */
export const isConsolePage = (path: string): boolean => !OF_SHOP_HOST.test(path);

/** The paths of the design host's routes. Only `/screens/<id>/page` lies among the paths of its pages. */
const OF_DESIGN_HOST =
  /^\/(?:(?:api|mcp|media|skill|uploads|\.well-known|healthz|readyz|openapi\.json)(?:\/|$)|screens\/[^/]+\/page\/?$)/;

/** True for the path of a page of the design app. All other paths belong to the host. */
export const isDesignPage = (path: string): boolean => !OF_DESIGN_HOST.test(path);
