import type { Host } from '../../ports/inbound/hosts.ts';
import type { Links } from '../../ports/outbound/links.ts';

const assetPath = (productId: number, path: string): string =>
  `/api/products/${productId}/content-assets/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Links on the public addresses, which have no slash at their end. */
export const linksOn = (urls: Readonly<Record<Host, string>>): Links => ({
  product: (productId) => `${urls.api}/api/products/${productId}`,
  productDetail: (productId) => `${urls.api}/api/products/${productId}/detail`,
  bundle: (productId) => `${urls.api}/api/products/${productId}/bundle`,
  contentAsset: (productId, path) => urls.api + assetPath(productId, path),
  contentAssetPath: assetPath,
  manageDevices: (productId) => `${urls.account}/devices?product=${productId}`,
  issuer: () => urls.api,
});
