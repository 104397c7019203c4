import type { VersionScheme } from '../../domain/catalog/version-scheme.ts';
import { parseSparkleVersion, sparkleOrder, type VersionOrder } from '../../domain/delivery/version-order.ts';
import type { Versions } from '../../ports/outbound/releases.ts';
import { memoized } from './memoized.ts';
import { semverOrder } from './semver-order.ts';

const ORDERS: Readonly<Record<VersionScheme, VersionOrder>> = {
  semver: semverOrder,
  sparkle: sparkleOrder(memoized(parseSparkleVersion)),
};

/** The order of each version scheme. Parsed versions are kept. */
export const versions: Versions = { order: (scheme) => ORDERS[scheme] };
