import type { ProductScope } from '../../domain/access/principal.ts';
import { feedReach } from '../../domain/delivery/feed-access.ts';
import { coveredRelease, type FileChoice, fileOf, noSuchRelease } from '../../domain/delivery/release-file.ts';
import { targetProduct, unknownAs } from '../../domain/licensing/product-gate.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Releases } from '../../ports/outbound/releases.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import type { ReleaseTickets } from './release-tickets.ts';
import { signFile } from './sign-file.ts';

type Ports = {
  catalogs: Catalogs;
  releases: Releases;
  readAccess: ReadAccess;
  releaseTickets: ReleaseTickets;
  objects: ObjectStore;
  clock: Clock;
};

type Input = FileChoice & {
  /** The calling account; null for a request without a credential. */
  readonly asking: { readonly accountId: number; readonly scope: ProductScope } | null;
  /** Null stands for a path value that is no id. */
  readonly releaseId: number | null;
  readonly ticket: string | null;
};

type Refusal =
  | 'not_found'
  | 'missing_api_key'
  | 'product_entitlement_required'
  | 'product_api_key_scope_required'
  | 'version_update_window_expired'
  | 'install_not_available';

/**
 * A signed URL of a release's file, valid for 15 minutes. Anybody gets it where the product's feed is public; otherwise
 * the account of the credential or of the ticket needs access to the product. A request with a credential is judged by
 * the credential alone. An invalid ticket counts as none.
 */
export class DownloadRelease {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ asking, releaseId, ticket, ...choice }: Input): Promise<Outcome<string, Refusal>> {
    const { catalogs, releases, readAccess, releaseTickets } = this.#ports;
    const [catalog, productId] = await Promise.all([
      catalogs.current(),
      releaseId === null ? undefined : releases.productOf(releaseId),
    ]);
    const gate = targetProduct(catalog.products, asking?.scope ?? null, productId ?? null);
    const target = unknownAs(gate, noSuchRelease());
    if (!target.ok) return target;
    if (releaseId === null) return noSuchRelease();
    const product = target.value;
    const accountId = asking?.accountId ?? (ticket === null ? null : releaseTickets.accountOf(ticket, releaseId));
    const [access, released] = await Promise.all([
      accountId === null ? null : readAccess.execute(accountId, product, catalog),
      releases.of([product.id]),
    ]);
    const reach = unknownAs(feedReach(product, access), noSuchRelease());
    if (!reach.ok) return reach;
    const release = coveredRelease(released.get(product.id) ?? [], releaseId, reach.value.updates_until);
    if (!release.ok) return release;
    const file = fileOf(release.value, choice);
    return file.ok ? ok((await signFile(this.#ports, file.value)).url) : file;
  }
}
