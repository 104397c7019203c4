import type { Product } from '../catalog/product.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { feedArtifacts } from './appcast.ts';
import { feedReadersOf } from './feed-access.ts';
import { feedFaults } from './feed-faults.ts';
import type { PublicationResult } from './publication.ts';
import type { Release } from './release.ts';
import type { VersionOrder } from './version-order.ts';

/**
 * Refuses a publication that would break the product's appcast, given all releases of the product. A new file for Macs
 * needs a build number, because Sparkle compares nothing else. A made-up number would not be the `CFBundleVersion` with
 * which installed applications compare it.
 */
export const keepsFeedWhole = (
  product: Product,
  { release, result }: PublicationResult,
  released: readonly Release[],
  order: VersionOrder,
): Outcome<null, 'build_required' | 'breaks_feed'> => {
  if (feedReadersOf(product) === null) return ok(null);
  const adds = result === 'created' || result === 'platform_added';
  if (adds && release.build === null && feedArtifacts(release).length > 0) {
    return refuse('build_required', {
      message: `${product.slug} is updated by an appcast, which needs the build number (CFBundleVersion) of version ${release.version}.`,
    });
  }
  const others = released.filter(({ version }) => version !== release.version);
  const [fault] = feedFaults(release, others, order);
  if (!fault) return ok(null);
  return refuse('breaks_feed', {
    message: `Version ${release.version} would break the appcast of ${product.slug}: ${fault.member}: ${fault.message}.`,
  });
};
