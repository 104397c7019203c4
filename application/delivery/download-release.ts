import type { ApiKey } from '../../domain/access/api-key.ts';
import { checkProductScope } from '../../domain/access/gates.ts';
import type { Platform } from '../../domain/delivery/channel.ts';
import { feedReach } from '../../domain/delivery/feed-access.ts';
import { artifactFor, isCovered, type Release } from '../../domain/delivery/release.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Releases } from '../../ports/outbound/releases.ts';
import type { ReadAccess } from '../access/read-access.ts';
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

/** Which file of the release. */
type Choice = {
  /** Null: the file for every platform, or the only one. */
  readonly platform: Platform | null;
  /** The build that a patch is for, instead of the whole file. */
  readonly delta: string | null;
};

type Input = Choice & {
  /** Null: nobody is known to ask, but for who holds the ticket. */
  readonly key: ApiKey | null;
  /** Null is no id that a release could have. */
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
 * A short-lived address of a release's file, for whoever may have it: everybody where the product's feed is public, else
 * the account of the key or of the ticket. A key that is sent decides alone. A ticket that doesn't hold is none.
 */
export class DownloadRelease {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, releaseId, ticket, ...choice }: Input): Promise<Outcome<string, Refusal>> {
    const { catalogs, releases, readAccess, releaseTickets } = this.#ports;
    const [catalog, productId] = await Promise.all([
      catalogs.current(),
      releaseId === null ? undefined : releases.productOf(releaseId),
    ]);
    const scoped = key && checkProductScope(key, productId ?? 0);
    if (scoped && !scoped.ok) return scoped;
    const product = productId === undefined ? undefined : catalog.products.get(productId);
    if (!product || releaseId === null) return refuse('not_found', { message: 'There is no such release.' });
    const asking = key?.account_id ?? (ticket === null ? null : releaseTickets.accountOf(ticket, releaseId));
    const [access, released] = await Promise.all([
      asking === null ? null : readAccess.execute(asking, product, catalog),
      releases.of([product.id]),
    ]);
    const reach = feedReach(product, access);
    if (!reach.ok)
      return reach.code === 'not_found' ? refuse('not_found', { message: 'There is no such release.' }) : reach;
    const release = released.get(product.id)?.find(({ id }) => id === releaseId);
    if (!release) return refuse('not_found', { message: 'There is no such release.' });
    if (!isCovered(release, reach.value.updates_until)) {
      return refuse('version_update_window_expired', {
        message: `Version ${release.version} came out after your update window ended; renew it or download an earlier one.`,
      });
    }
    return this.#address(release, choice);
  }

  async #address(release: Release, { platform, delta }: Choice): Promise<Outcome<string, 'install_not_available'>> {
    const artifact = artifactFor(release, platform);
    const file = delta === null ? artifact : artifact?.deltas?.find(({ from_build }) => from_build === delta);
    if (file) return ok((await signFile(this.#ports, file)).url);
    return refuse('install_not_available', {
      message:
        delta !== null
          ? `Version ${release.version} has no patch from build ${delta}; download the whole file.`
          : platform === null
            ? `Version ${release.version} has a file for each platform; name yours by "platform".`
            : `Version ${release.version} has no file for ${platform}.`,
    });
  }
}
