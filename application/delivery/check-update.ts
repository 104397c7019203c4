import type { Product } from '../../domain/catalog/product.ts';
import { currentRelease, updateAvailable } from '../../domain/delivery/current-release.ts';
import { artifactFor, isCovered } from '../../domain/delivery/release.ts';
import { releaseLine } from '../../domain/delivery/release-line.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Releases, Versions } from '../../ports/outbound/releases.ts';
import { notesIn } from './list-releases.ts';

type Ports = { releases: Releases; versions: Versions; links: Links; clock: Clock };
type Input = { product: Product; access: Promise<GrantedAccess>; version: string | null; locale: Locale };

/** Compares a client's version with the current release (ProductUpdateApiData of the specification). */
export class CheckUpdate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ product, access, version, locale }: Input) {
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
    const current = currentRelease(line);
    if (!current) return refuse('install_not_available', { message: 'This product has no release yet.' });
    const bundle = artifactFor(current, null, line.platforms);
    return ok({
      update: {
        product_id: product.id,
        current_version: current.version,
        released_at: current.released_at,
        changelog: notesIn(current, locale),
        source_ref: current.source_ref,
        artifact_sha256: bundle?.sha256 ?? null,
        artifact_size: bundle?.size ?? null,
        update_available: updateAvailable(current, client, order),
        download_allowed: isCovered(current, updates_supported_until),
        download_url: links.bundle(product.id),
      },
    });
  }
}
