import type { FeedReaders, Product } from '../catalog/product.ts';
import type { Access } from '../licensing/access.ts';
import { judgeAccess, noSuchProduct } from '../licensing/product-gate.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

/**
 * The readers of a product's appcast; null where the product has none, because Sparkle updates only macOS applications.
 */
export const feedReadersOf = ({ delivery, feed }: Product): FeedReaders | null =>
  delivery.strategy === 'macos-app' ? (feed ?? 'public') : null;

/** The releases that a reader may see: those up to the end of the update window; null is never. */
export type FeedReach = { readonly updates_until: Instant | null };

/** True where everybody may read the feed and download the releases, so that no link needs a ticket. */
export const isOpenToAll = (product: Product): boolean =>
  product.active && product.published && feedReadersOf(product) === 'public';

/**
 * Decides whether a reader may read a product's feed and download its releases. `access` is the access of the calling
 * account; null stands for a caller without a key. A known account sees only what it may use, even where the feed is
 * open to callers without a key. A product that is not on sale does not exist for a reader without access.
 */
export const feedReach = (
  product: Product,
  access: Access | null,
): Outcome<FeedReach, 'not_found' | 'missing_api_key' | 'product_entitlement_required'> => {
  const published = product.active && product.published;
  if (access === null) {
    if (isOpenToAll(product)) return ok({ updates_until: null });
    return published ? refuse('missing_api_key') : noSuchProduct();
  }
  const judged = judgeAccess({ published }, access, true);
  return judged.ok ? ok({ updates_until: judged.value.updates_supported_until }) : judged;
};
