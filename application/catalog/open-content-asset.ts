import type { Product } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Download } from '../shared/download.ts';

export type Ports = Needs<'catalogs' | 'objects'>;

/** One content asset of a product. The path must equal a listed one and never reaches a file system. */
export const openContentAsset =
  ({ catalogs, objects }: Ports) =>
  async ({ product, path }: { product: Product; path: string }): Promise<Outcome<Download, 'not_found'>> => {
    const asset = (await catalogs.content(product.id))?.assets.find((one) => one.path === path);
    if (!asset) return refuse('not_found', { message: 'This product has no content asset with this path.' });
    const { sha256, size } = asset;
    return ok({
      filename: path.slice(path.lastIndexOf('/') + 1),
      sha256,
      size,
      open: async (range) => (await objects.open(objectKeyOf(sha256), range))?.stream,
    });
  };

export type OpenContentAsset = ReturnType<typeof openContentAsset>;
