import type { Bundle, Product } from '../../domain/catalog/product.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../domain/delivery/feed-access.ts';
import { newestByChannel, releaseLine } from '../../domain/delivery/offered-release.ts';
import { hasContent, type ProductGap, productGaps } from '../../domain/delivery/product-gaps.ts';
import { bundlesWith } from '../../domain/licensing/access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindProduct } from './find-product.ts';
import type { ListedRelease, ListProductReleases } from './list-product-releases.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'versions'> & {
  findProduct: FindProduct;
  listProductReleases: ListProductReleases;
};

export type DescribedProduct = {
  readonly product: Product;
  /** Newest first. */
  readonly releases: readonly ListedRelease[];
  /** The newest version that is offered on each channel alone; null where there is none. */
  readonly newest: Readonly<Record<Channel, string | null>>;
  /** The readers of the appcast; null where the product has none. */
  readonly feed: ReturnType<typeof feedReadersOf>;
  /** The bundles that contain the product. */
  readonly in_bundles: readonly Bundle[];
  /** The products that it brings, where it is sold as a bundle; null for any other product. */
  readonly brings: readonly number[] | null;
  readonly has_content: boolean;
  readonly gaps: readonly ProductGap[];
};

/** A product with everything that its operator asks about it, and what it still lacks. */
export const describeProduct =
  ({ findProduct, listProductReleases, catalogs, versions, clock }: Ports) =>
  async (named: string): Promise<Outcome<DescribedProduct, 'product_not_found'>> => {
    const found = await findProduct(named);
    if (!found.ok) return found;
    const product = found.value;
    const [listed, { bundles }, content] = await Promise.all([
      listProductReleases(String(product.id)),
      catalogs.current(),
      catalogs.content(product.id),
    ]);
    if (!listed.ok) return listed;
    const line = releaseLine(product, listed.value, clock.now(), versions.order(product.version_scheme));
    return ok({
      product,
      releases: listed.value,
      newest: newestByChannel(line),
      feed: feedReadersOf(product),
      in_bundles: bundlesWith(product.id, bundles),
      brings: bundles.find(({ product_id }) => product_id === product.id)?.product_ids ?? null,
      has_content: hasContent(content),
      gaps: productGaps({ ...line, product }, content, bundles),
    });
  };

export type DescribeProduct = ReturnType<typeof describeProduct>;
