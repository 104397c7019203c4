import type { Product } from '../../domain/catalog/product.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'catalogs' | 'links'>;

/** The content assets of a product, by path. */
export const listContentAssets =
  ({ catalogs, links }: Ports) =>
  async ({ product }: { product: Product }) => {
    const assets = (await catalogs.content(product.id))?.assets ?? [];
    return { assets: assets.map((asset) => ({ ...asset, download_url: links.contentAsset(product.id, asset.path) })) };
  };

export type ListContentAssets = ReturnType<typeof listContentAssets>;
