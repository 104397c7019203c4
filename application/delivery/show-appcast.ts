import { appcastOf } from '../../domain/delivery/appcast.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import {
  countedReader,
  feedReach,
  feedReadersOf,
  isOpenToAll,
  type KnownReader,
} from '../../domain/delivery/feed-access.ts';
import { noSuchProduct, targetProduct } from '../../domain/licensing/product-access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import type { ReleaseTickets } from './release-tickets.ts';

export type Ports = Needs<'appcastWriter' | 'catalogs' | 'clock' | 'links' | 'releases'> & {
  readAccess: ReadAccess;
  releaseTickets: ReleaseTickets;
};

export type Input = {
  /** Null for a request without a credential. */
  readonly asking: KnownReader | null;
  /** Null stands for a path value that is no id. */
  readonly productId: number | null;
  readonly channel: Channel | null;
};

export type Refusal =
  | 'not_found'
  | 'missing_api_key'
  | 'product_entitlement_required'
  | 'product_api_key_scope_required';

/**
 * The Sparkle 2 appcast of an application, with the offered releases that the caller may use. On an appcast that is
 * open to all, a key without access counts as none.
 */
export const showAppcast =
  ({ catalogs, releases, readAccess, releaseTickets, appcastWriter, links, clock }: Ports) =>
  async ({ asking, productId, channel }: Input): Promise<Outcome<string, Refusal>> => {
    const catalog = await catalogs.current();
    const known = productId === null ? undefined : catalog.products.get(productId);
    const reader = countedReader(known, asking);
    const target = targetProduct(catalog.products, reader?.scope ?? null, productId);
    if (!target.ok) return target;
    const product = target.value;
    if (feedReadersOf(product) === null) return noSuchProduct();
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
    const feed = appcastOf(
      product,
      released.get(product.id) ?? [],
      { channel, ...reach.value, now: clock.now() },
      links.appcast(product.id),
      ({ id }, { platform }, delta) =>
        links.releaseDownload(id, { platform, delta: delta?.from_build ?? null, ticket: ticketOf(id) }),
    );
    return ok(await appcastWriter.write(feed));
  };

export type ShowAppcast = ReturnType<typeof showAppcast>;
