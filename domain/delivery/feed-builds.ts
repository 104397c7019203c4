import { type Instant, millis, toInstant } from '../shared/instant.ts';
import { feedArtifacts, isInFeed } from './appcast.ts';
import type { Release } from './release.ts';
import { isBuild, NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder, type VersionOrder } from './version-order.ts';

const { compare } = sparkleOrder();

/** The number of user groups after the first in a phased rollout (Sparkle, SUPhasedUpdateGroupInfo). */
const LATER_GROUPS = 6;

type Built = Release & { readonly build: string };

const isBuilt = (release: Release): release is Built =>
  isInFeed(release) && release.build !== null && isBuild(release.build);

/** Two releases whose builds contradict their versions: the older one has the higher build. */
export type BackwardPair = { readonly newer: Release; readonly older: Release };

const termsOf = ({ sparkle }: Release): SparkleTerms => sparkle ?? NO_TERMS;

const architectures = (release: Release): readonly string[] =>
  feedArtifacts(release).flatMap(({ platform }) =>
    platform === null ? ['arm64', 'x86_64'] : [platform === 'darwin-arm64' ? 'arm64' : 'x86_64'],
  );

/** True unless the minimum exceeds the maximum; null is unbounded. */
const reaches = (minimum: string | null, maximum: string | null): boolean =>
  minimum === null || maximum === null || compare(minimum, maximum) <= 0;

/**
 * True if both releases can be offered to the same Mac. Channels don't matter, because a client may read every channel.
 */
const shareClients = (a: Release, b: Release): boolean => {
  const [left, right] = [termsOf(a), termsOf(b)];
  return (
    reaches(left.minimum_system_version, right.maximum_system_version) &&
    reaches(right.minimum_system_version, left.maximum_system_version) &&
    architectures(a).some((one) => architectures(b).includes(one))
  );
};

/** The time at which every group of users is offered the release. */
const outForAll = (release: Release): Instant => {
  const { phased_rollout_interval: interval } = termsOf(release);
  if (interval === null) return release.released_at;
  return toInstant(millis(release.released_at) + interval * LATER_GROUPS * 1000);
};

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** True if a bound of one release is at least as wide as one of the others; null is unbounded. */
const isAsWide = (bound: string | null, others: readonly (string | null)[], narrower: 1 | -1): boolean =>
  bound === null || others.some((other) => other !== null && narrower * compare(other, bound) >= 0);

/**
 * True if Sparkle prefers `above` to the older release of a pair, for every client that sees both. `above` has a higher
 * build than the pair and no older version. It is out for everybody no later than the second of the pair, so a reader
 * whose update window ends early sees it too. It can be installed by every reader of their channels, systems and
 * architectures.
 */
const outranks = (above: Release, { newer, older }: { newer: Built; older: Built }, order: VersionOrder): boolean => {
  if (!isBuilt(above) || compare(above.build, older.build) <= 0) return false;
  if (order.compare(above.version, newer.version) < 0) return false;
  const [terms, one, other] = [termsOf(above), termsOf(newer), termsOf(older)];
  const { minimum_system_version: minimum, maximum_system_version: maximum } = terms;
  return (
    ['stable', newer.channel, older.channel].includes(above.channel) &&
    outForAll(above) <= later(newer.released_at, older.released_at) &&
    terms.informational === null &&
    terms.minimum_autoupdate_version === null &&
    isAsWide(minimum, [one.minimum_system_version, other.minimum_system_version], 1) &&
    isAsWide(maximum, [one.maximum_system_version, other.maximum_system_version], -1) &&
    architectures(newer).every((name) => !architectures(older).includes(name) || architectures(above).includes(name))
  );
};

/**
 * The pair that these two releases form if Sparkle, which compares only builds, would downgrade a client from the newer
 * to the older version; otherwise undefined. A pair is harmless if no Mac is offered both, or if every client that sees
 * both also sees a third release that outranks them. `all` are the releases of the product.
 */
export const backwardPair = (
  a: Release,
  b: Release,
  all: readonly Release[],
  order: VersionOrder,
): BackwardPair | undefined => {
  if (!isBuilt(a) || !isBuilt(b)) return undefined;
  const versions = order.compare(a.version, b.version);
  const builds = compare(a.build, b.build);
  if (versions === 0 || builds === 0 || versions > 0 === builds > 0 || !shareClients(a, b)) return undefined;
  const pair = versions > 0 ? { newer: a, older: b } : { newer: b, older: a };
  return all.some((one) => outranks(one, pair, order)) ? undefined : pair;
};

/**
 * All pairs of a product's releases that would downgrade a client. A withdrawn release is in no pair and outranks none.
 */
export const backwardPairs = (releases: readonly Release[], order: VersionOrder): BackwardPair[] =>
  releases.flatMap((release, n) =>
    releases.slice(0, n).flatMap((earlier) => backwardPair(earlier, release, releases, order) ?? []),
  );

/**
 * True if a release outranked the pair until it was withdrawn, after both had come out. Exposing such a pair is no
 * reason to refuse a withdrawal, nor a document after one.
 */
export const wasOutranked = (pair: BackwardPair, all: readonly Release[], order: VersionOrder): boolean => {
  const { newer, older } = pair;
  if (!isBuilt(newer) || !isBuilt(older)) return false;
  const out = later(newer.released_at, older.released_at);
  return all.some(
    ({ withdrawn, ...one }) => withdrawn !== undefined && withdrawn.at > out && outranks(one, { newer, older }, order),
  );
};

/** The pairs that would downgrade a client only because of a change of a product's releases. */
export const pairsLaidOpen = (
  before: readonly Release[],
  after: readonly Release[],
  order: VersionOrder,
): BackwardPair[] => {
  const known = backwardPairs(before, order);
  return backwardPairs(after, order).filter(
    (pair) => !known.some(({ newer, older }) => newer.id === pair.newer.id && older.id === pair.older.id),
  );
};

/** The end of a sentence about a pair, with the ways to fix it. `release` is the one being written. */
export const backwardMessage = ({ newer, older }: BackwardPair, release: Release): string => {
  const wrong = `version ${newer.version} has the build ${newer.build}, which Sparkle takes for older than the ${older.build} of version ${older.version}`;
  return release.version === newer.version
    ? `${wrong}; give it a build above ${older.build}`
    : `${wrong}; first publish a later version in the channel ${newer.channel} with a build above ${older.build}, or withdraw version ${newer.version}, or give version ${older.version} a build below ${newer.build}`;
};
