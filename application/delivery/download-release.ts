import { productPlatforms } from '../../domain/catalog/platform.ts';
import { countedReader, feedReach, type KnownReader } from '../../domain/delivery/feed-access.ts';
import { coveredRelease, type FileChoice, fileOf, noSuchRelease } from '../../domain/delivery/release-file.ts';
import { targetProduct, unknownAs } from '../../domain/licensing/product-access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import type { ReleaseTickets } from './release-tickets.ts';
import { signFile } from './sign-file.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'objects' | 'releases'> & {
  readAccess: ReadAccess;
  releaseTickets: ReleaseTickets;
};

export type Input = FileChoice & {
  /** Null for a request without a credential. */
  readonly asking: KnownReader | null;
  /** Null stands for a path value that is no id. */
  readonly releaseId: number | null;
  readonly ticket: string | null;
};

export type Refusal =
  | 'not_found'
  | 'missing_api_key'
  | 'product_entitlement_required'
  | 'product_api_key_scope_required'
  | 'version_update_window_expired'
  | 'install_not_available';

/**
 * A signed URL of an offered release's file, valid for 15 minutes. Anybody gets it where the product's feed is public;
 * otherwise the account of the credential or of the ticket needs access to the product. A request with a credential is
 * judged by the credential alone. An invalid ticket counts as none, and so does one whose key has ended.
 */
export const downloadRelease = (ports: Ports) => {
  const { catalogs, releases, readAccess, releaseTickets, clock } = ports;

  return async ({ asking, releaseId, ticket, ...choice }: Input): Promise<Outcome<string, Refusal>> => {
    const [catalog, productId] = await Promise.all([
      catalogs.current(),
      releaseId === null ? undefined : releases.productOf(releaseId),
      releaseTickets.fresh(),
    ]);
    const known = productId === undefined ? undefined : catalog.products.get(productId);
    const reader = countedReader(known, asking);
    const gate = targetProduct(catalog.products, reader?.scope ?? null, productId ?? null);
    const target = unknownAs(gate, noSuchRelease());
    if (!target.ok) return target;
    if (releaseId === null) return noSuchRelease();
    const product = target.value;
    const holder = asking || ticket === null ? null : releaseTickets.read(ticket, releaseId);
    const accountId = reader?.accountId ?? holder?.account_id ?? null;
    const [access, isHeld, released] = await Promise.all([
      accountId === null ? null : readAccess(accountId, product, catalog),
      holder === null || releaseTickets.isHeld(holder),
      releases.of([product.id]),
    ]);
    const reach = unknownAs(feedReach(product, isHeld ? access : null), noSuchRelease());
    if (!reach.ok) return reach;
    const { updates_until } = reach.value;
    const release = coveredRelease(released.get(product.id) ?? [], releaseId, updates_until, clock.now());
    if (!release.ok) return release;
    const file = fileOf(release.value, choice, productPlatforms(product));
    return file.ok ? ok((await signFile(ports, file.value)).url) : file;
  };
};

export type DownloadRelease = ReturnType<typeof downloadRelease>;
