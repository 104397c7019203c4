import type { Product } from '../../domain/catalog/product.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Links } from '../../ports/outbound/links.ts';

export type Ports = { catalogs: Catalogs; links: Links };

/** The content assets of a product, by path. */
export const listContentAssets =
  ({ catalogs, links }: Ports) =>
  async ({ product }: { product: Product }) => {
    const assets = (await catalogs.content(product.id))?.assets ?? [];
    return { assets: assets.map((asset) => ({ ...asset, download_url: links.contentAsset(product.id, asset.path) })) };
  };

export type ListContentAssets = ReturnType<typeof listContentAssets>;
