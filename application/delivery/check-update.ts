import type { Product } from '../../domain/catalog/product.ts';
import { updateAvailable } from '../../domain/delivery/current-release.ts';
import { releaseLine } from '../../domain/delivery/release-line.ts';
import { offerUpdate, type UpdateWish } from '../../domain/delivery/update-offer.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Releases, Versions } from '../../ports/outbound/releases.ts';
import { notesIn } from './list-releases.ts';

export type Ports = { releases: Releases; versions: Versions; links: Links; clock: Clock };
export type Input = UpdateWish & {
  product: Product;
  access: Promise<GrantedAccess>;
  version: string | null;
  locale: Locale;
};

/**
 * Compares a client's version with the current release (ProductUpdateApiData of the specification). Where the download
 * is allowed, its address answers 200 to the same caller.
 */
export class CheckUpdate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ product, access, version, channel, platform, locale }: Input) {
    const { releases, versions, links, clock } = this.#ports;
    const order = versions.order(product.version_scheme);
    const client = version === null ? null : order.normalize(version);
    if (client === undefined) {
      return refuse('validation_failed', {
        data: {
          errors: {
            version: [
              `The version field must be a version such as 1.4.0; this product uses the scheme ${product.version_scheme}.`,
            ],
          },
        },
      });
    }
    const [released, { updates_supported_until }] = await Promise.all([releases.of([product.id]), access]);
    const line = releaseLine(product, released.get(product.id) ?? [], clock.now(), order);
    const offered = offerUpdate(line, updates_supported_until, { channel, platform });
    if (!offered.ok) return offered;
    const { current, artifact, allowed, isBundle, covered } = offered.value;
    const installUrl = (release: number): string =>
      links.installPlan(product.id, { channel: channel === 'stable' ? null : channel, platform, release });
    return ok({
      update: {
        product_id: product.id,
        current_version: current.version,
        released_at: current.released_at,
        changelog: notesIn(current, locale),
        source_ref: current.source_ref,
        artifact_sha256: artifact?.sha256 ?? null,
        artifact_size: artifact?.size ?? null,
        update_available: updateAvailable(current, client, order),
        download_allowed: allowed,
        download_url: isBundle ? links.bundle(product.id) : installUrl(current.id),
        covered: covered && {
          release_id: covered.release.id,
          version: covered.release.version,
          released_at: covered.release.released_at,
          update_available: updateAvailable(covered.release, client, order),
          download_url: installUrl(covered.release.id),
        },
      },
    });
  }
}
