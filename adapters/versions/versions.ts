import { LRUCache } from 'lru-cache';
import type { SemVer } from 'semver';
import parse from 'semver/functions/parse.js';
import type { VersionScheme } from '../../domain/catalog/product.ts';
import { parseSparkleVersion, sparkleOrder, type VersionOrder } from '../../domain/delivery/version-order.ts';
import type { Versions } from '../../ports/outbound/delivery.ts';

/** The maximum number of cached versions: those of some hundred products, and those that clients report. */
const REMEMBERED = 5000;

/** Returns a function that caches the latest results of `parse`. The results must never change. */
const memoized = <T extends object>(parse: (version: string) => T): ((version: string) => T) => {
  const known = new LRUCache<string, T>({ max: REMEMBERED });
  return (version) => {
    const cached = known.get(version);
    if (cached !== undefined) return cached;
    const parsed = parse(version);
    known.set(version, parsed);
    return parsed;
  };
};

/** A parsed version and its normalized text; `version` is undefined if the text is not a version. */
type ParsedVersion = { readonly version: SemVer; readonly normal: string } | { readonly version: undefined };

const LONGEST = 64;
const NONE: ParsedVersion = { version: undefined };
const FILLABLE = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+][0-9A-Za-z.+-]*)?$/i;

/** True for a number too large for a double. The package keeps it as text and orders it by its nearest double. */
const isInexact = (identifier: string | number): boolean => typeof identifier === 'string' && /^\d+$/.test(identifier);

const parsed = memoized((text): ParsedVersion => {
  const [matched, major, minor = '0', patch = '0', tail = ''] = FILLABLE.exec(text) ?? [];
  const normal = `${major}.${minor}.${patch}${tail}`;
  if (matched === undefined || normal.length > LONGEST) return NONE;
  const version = parse(normal);
  return version === null || version.prerelease.some(isInexact) ? NONE : { version, normal };
});

/** Parses strictly: missing parts become zeros, and nothing is coerced. Long strings never reach the cache. */
const parseShort = (text: string): ParsedVersion => (text.length > LONGEST ? NONE : parsed(text));

const versionOf = (text: string): { version: SemVer; normal: string } => {
  const found = parseShort(text);
  if (found.version === undefined) throw new RangeError(`"${text.slice(0, LONGEST)}" is not a semantic version.`);
  return found;
};

/**
 * The order of Semantic Versioning 2.0.0, made total: build metadata, which it ignores, orders versions that are
 * otherwise equal. Versions rank equal only if their normalized texts are equal. `compare` throws RangeError for a text
 * that is not a version.
 */
const semverOrder: VersionOrder = {
  normalize: (text) => {
    const found = parseShort(text);
    return found.version === undefined ? undefined : found.normal;
  },
  compare: (a, b) => {
    const [x, y] = [versionOf(a), versionOf(b)];
    if (x.normal === y.normal) return 0;
    // compareBuild treats `01` and `1` as equal. Then the text decides, so the order is total.
    return x.version.compare(y.version) || x.version.compareBuild(y.version) || (x.normal < y.normal ? -1 : 1);
  },
};

const ORDERS: Readonly<Record<VersionScheme, VersionOrder>> = {
  semver: semverOrder,
  sparkle: sparkleOrder(memoized(parseSparkleVersion)),
};

/** The order of each version scheme. */
export const versions: Versions = { order: (scheme) => ORDERS[scheme] };
