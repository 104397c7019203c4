import type { Host } from '../../ports/inbound/hosts.ts';
import type { DownloadLink, InstallLink, Links } from '../../ports/outbound/links.ts';

const assetPath = (productId: number, path: string): string =>
  `/api/products/${productId}/content-assets/${path.split('/').map(encodeURIComponent).join('/')}`;

const withQuery = (address: string, query: DownloadLink | InstallLink): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
};

/** Links below the public addresses, which have no slash at the end. */
export const linksOn = (urls: Readonly<Record<Host, string>>): Links => ({
  product: (productId) => `${urls.api}/api/products/${productId}`,
  productDetail: (productId) => `${urls.api}/api/products/${productId}/detail`,
  bundle: (productId) => `${urls.api}/api/products/${productId}/bundle`,
  installPlan: (productId, link) => withQuery(`${urls.api}/api/products/${productId}/install`, link),
  contentAsset: (productId, path) => urls.api + assetPath(productId, path),
  contentAssetPath: assetPath,
  manageDevices: (productId) => `${urls.account}/devices?product=${productId}`,
  ownPage: (page) => `${urls.account}/${page}`,
  signInLink: (code) => `${urls.account}/sign-in/link?${new URLSearchParams({ code })}`,
  signInCallback: () => `${urls.account}/sign-in/callback`,
  appcast: (productId) => `${urls.app}/distribution/v1/products/${productId}/appcast.xml`,
  releaseDownload: (releaseId, link) => withQuery(`${urls.app}/distribution/v1/releases/${releaseId}/download`, link),
  design: (path) => urls.design + path,
  issuer: () => urls.api,
});
