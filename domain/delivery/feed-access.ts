import type { Feed, Product } from '../catalog/product.ts';
import type { Access } from '../licensing/access.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

/** Who may read a product's appcast, or null where its kind has none: Sparkle updates applications of macOS. */
export const feedOf = ({ delivery, feed }: Product): Feed | null =>
  delivery.strategy === 'macos-app' ? (feed ?? 'public') : null;

/** What a reader may see of a product's releases: those up to the end of the update window, null being never. */
export type FeedReach = { readonly updates_until: Instant | null };

/** True where everybody may read the feed and download, whoever they are: no link to it has to carry a right. */
export const isOpenToAll = (product: Product): boolean =>
  product.active && product.published && feedOf(product) === 'public';

/**
 * Whether somebody may read a product's feed or download its releases. `access` is that of the account that asks, null
 * where nobody is known to ask. Who is known is held to what the account may use, also where others need nothing; what
 * is not on sale isn't there for whoever can't use it.
 */
export const feedReach = (
  product: Product,
  access: Access | null,
): Outcome<FeedReach, 'not_found' | 'missing_api_key' | 'product_entitlement_required'> => {
  if (access?.granted) return ok({ updates_until: access.updates_supported_until });
  if (access === null && isOpenToAll(product)) return ok({ updates_until: null });
  if (!product.active || !product.published) return refuse('not_found', { message: 'There is no such product.' });
  return refuse(access === null ? 'missing_api_key' : 'product_entitlement_required');
};
