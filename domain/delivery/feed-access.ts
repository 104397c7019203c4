import type { ApiKey } from '../access/api-key.ts';
import { isInScope, type ProductScope } from '../access/principal.ts';
import type { FeedReaders, Product } from '../catalog/product.ts';
import { type Access, judgeAccess, noSuchProduct } from '../licensing/access.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';

/** The readers of a product's appcast; null if it has none, because Sparkle updates only macOS applications. */
export const feedReadersOf = ({ delivery, feed }: Product): FeedReaders | null =>
  delivery.strategy === 'macos-app' ? (feed ?? 'public') : null;

/** The readers of the feeds for all updaters; null if the product has no feed. A macOS application has all feeds. */
export const updateReadersOf = (product: Product): FeedReaders | null =>
  product.update_feeds === true ? (product.feed ?? 'public') : feedReadersOf(product);

/** The answer to an owner whose product lacks the requested feed. */
export const noFeed = (): Refused<'not_found'> =>
  refuse('not_found', {
    message: 'This product has no feed for this updater; update it with GET /api/products/{product}/updates.',
  });

/** A caller who is identified by a credential. */
export type KnownReader = {
  readonly account_id: number;
  readonly scope: ProductScope;
  /** Null if the credential is not an API key of this store. */
  readonly key: Pick<ApiKey, 'hash'> | null;
};

/** The update window of a reader; releases after its end are hidden. Null means no end. */
export type FeedReach = { readonly updates_until: Instant | null };

/**
 * True if everybody may read the feed and download the releases, so links need no ticket. A product off sale stays
 * open: installed copies need security updates.
 */
export const isOpenToAll = (product: Product): boolean => product.published && updateReadersOf(product) === 'public';

/**
 * The reader, if the credential counts for this product. On a public feed, a key that is bound to another product is
 * ignored, so no key gets less than a caller without one.
 */
export const countedReader = (product: Product | undefined, reader: KnownReader | null): KnownReader | null =>
  product !== undefined && reader !== null && isOpenToAll(product) && !isInScope(reader.scope, product.id)
    ? null
    : reader;

/**
 * Decides whether a reader may read a product's feed and download its releases. `access` is the calling account's; null
 * for a caller without a key. An account with access sees what its update window covers, so an updater installs nothing
 * beyond the license. An account without access sees the same as a caller without a key. To a reader without access, an
 * unpublished product does not exist.
 */
export const feedReach = (
  product: Product,
  access: Access | null,
): Outcome<FeedReach, 'not_found' | 'missing_api_key' | 'product_entitlement_required'> => {
  const { published } = product;
  if (!access?.granted && isOpenToAll(product)) return ok({ updates_until: null });
  if (access === null) return published ? refuse('missing_api_key') : noSuchProduct();
  const judged = judgeAccess({ published }, access, true);
  return judged.ok ? ok({ updates_until: judged.value.updates_supported_until }) : judged;
};
