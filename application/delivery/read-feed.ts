import type { FeedReaders, Product } from '../../domain/catalog/product.ts';
import { countedReader, feedReach, isOpenToAll, type KnownReader } from '../../domain/delivery/feed-access.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { TicketOf } from '../../domain/delivery/update-feeds.ts';
import { noSuchProduct, targetProduct } from '../../domain/licensing/product-access.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import type { ReleaseTickets } from './release-tickets.ts';

export type Ports = Needs<'catalogs' | 'releases'> & { readAccess: ReadAccess; releaseTickets: ReleaseTickets };

export type Asked = {
  /** Null for a request without a credential. */
  readonly asking: KnownReader | null;
  /** Null stands for a path value that is no id. */
  readonly productId: number | null;
};

export type Refusal =
  | 'not_found'
  | 'missing_api_key'
  | 'product_entitlement_required'
  | 'product_api_key_scope_required';

export type FeedSource = {
  readonly product: Product;
  /** All releases of the product, also those that no feed offers. */
  readonly releases: readonly Release[];
  /** The end of the reader's update window; null is never. */
  readonly updates_until: Instant | null;
  /** The ticket that replaces the reader's key in a link; null where the feed is open to all. */
  readonly ticketOf: TicketOf;
};

/**
 * The product of a feed with its releases, for a caller who may read the feed. On a feed that is open to all, a key
 * without access counts as none. A product without such a feed (`readersOf`) does not exist.
 */
export const readFeed =
  ({ catalogs, releases, readAccess, releaseTickets }: Ports, readersOf: (product: Product) => FeedReaders | null) =>
  async ({ asking, productId }: Asked): Promise<Outcome<FeedSource, Refusal>> => {
    const catalog = await catalogs.current();
    const known = productId === null ? undefined : catalog.products.get(productId);
    const reader = countedReader(known, asking);
    const target = targetProduct(catalog.products, reader?.scope ?? null, productId);
    if (!target.ok) return target;
    const product = target.value;
    if (readersOf(product) === null) return noSuchProduct();
    const [access, released] = await Promise.all([
      reader && readAccess(reader.accountId, product, catalog),
      releases.of([product.id]),
      releaseTickets.fresh(),
    ]);
    const reach = feedReach(product, access);
    if (!reach.ok) return reach;
    const ticketOf = (releaseId: number): string | null =>
      reader?.key && !isOpenToAll(product)
        ? releaseTickets.issue({ account_id: reader.accountId, key_hash: reader.key.hash }, releaseId)
        : null;
    return ok({ product, releases: released.get(product.id) ?? [], ...reach.value, ticketOf });
  };
