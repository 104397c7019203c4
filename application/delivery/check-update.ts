import type { Product } from '../../domain/catalog/product.ts';
import { offerUpdate, releaseLine, type UpdateWish, updateAvailable } from '../../domain/delivery/offered-release.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Clearance } from '../shared/steps.ts';
import { notesIn } from './list-releases.ts';
import { signFile } from './sign-file.ts';

export type Ports = Needs<'clock' | 'links' | 'objects' | 'releases' | 'versions'>;
export type Input = UpdateWish & {
  product: Product;
  version: string | null;
  locale: Locale;
};

/**
 * Compares a client's version with the current release (ProductUpdateApiData of the specification). As in a license
 * check, a text that is no version of the product's scheme counts as none, and so as older than every release.
 * `download_url` is the file: signed where the download is allowed, and else an address that refuses with the reason.
 */
export const checkUpdate = (ports: Ports) => {
  const { releases, versions, links, clock } = ports;

  return async ({ product, version, channel, platform, locale }: Input) => {
    const order = versions.order(product.version_scheme);
    const client = version === null ? null : (order.normalize(version) ?? null);
    const released = await releases.of([product.id]);
    return async ({ access }: Clearance<GrantedAccess>) => {
      const line = releaseLine(product, released.get(product.id) ?? [], clock.now(), order);
      const offered = offerUpdate(line, access.updates_supported_until, { channel, platform });
      if (!offered.ok) return offered;
      const { current, artifact, allowed, covered } = offered.value;
      const planUrl = (release: number): string => links.installPlan(product.id, { platform, release });
      const signed = allowed && artifact ? await signFile(ports, artifact) : null;
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
          download_url: signed?.url ?? links.releaseDownload(current.id, { platform, delta: null, ticket: null }),
          download_expires_at: signed?.expires_at ?? null,
          plan_url: planUrl(current.id),
          covered: covered && {
            release_id: covered.release.id,
            version: covered.release.version,
            released_at: covered.release.released_at,
            update_available: updateAvailable(covered.release, client, order),
            plan_url: planUrl(covered.release.id),
          },
        },
      });
    };
  };
};

export type CheckUpdate = ReturnType<typeof checkUpdate>;
