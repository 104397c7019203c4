import {
  parseSparkleVersion,
  sparkleOrder,
  type VersionOrder,
  type VersionScheme,
} from '../../domain/delivery/version-order.ts';
import type { Versions } from '../../ports/outbound/releases.ts';
import { memoized } from './memoized.ts';
import { semverOrder } from './semver-order.ts';

const ORDERS: Readonly<Record<VersionScheme, VersionOrder>> = {
  semver: semverOrder,
  sparkle: sparkleOrder(memoized(parseSparkleVersion)),
};

/** The order of each scheme, with what it has parsed kept for the next time. */
export const versions: Versions = { order: (scheme) => ORDERS[scheme] };
