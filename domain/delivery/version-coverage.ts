import type { Instant } from '../shared/instant.ts';
import { isCovered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/**
 * Decides whether the update window (null: without end) covers a client's version. A version that the store knows is
 * covered where one of its releases is. An unknown version is covered up to the newest covered release. The answer is
 * null where the client named no version or an invalid one.
 */
export const isVersionCovered = (
  version: string | null,
  releases: readonly Release[],
  updatesUntil: Instant | null,
  order: VersionOrder,
): boolean | null => {
  const normal = version === null ? undefined : order.normalize(version);
  if (normal === undefined) return null;
  if (updatesUntil === null) return true;
  const known = releases.filter((release) => order.compare(release.version, normal) === 0);
  if (known.length > 0) return known.some((release) => isCovered(release, updatesUntil));
  const newest = releases.filter((release) => isCovered(release, updatesUntil)).sort(newestFirst(order))[0];
  return newest !== undefined && order.compare(normal, newest.version) <= 0;
};
