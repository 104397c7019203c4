import type { Release } from './release.ts';

/** Which rules order a product's versions: Semantic Versioning 2.0.0, or those of Sparkle's standard comparator. */
export const VERSION_SCHEMES = ['semver', 'sparkle'] as const;
export type VersionScheme = (typeof VERSION_SCHEMES)[number];

/** A total order on the versions of one scheme. */
export type VersionOrder = {
  /** The version as the scheme writes it (no leading `v`, missing components filled), or undefined if it isn't one. */
  normalize(version: string): string | undefined;
  /** Negative where a is older than b, zero where they rank the same. Both are versions of the scheme. */
  compare(a: string, b: string): number;
};

/** Newest first: by version, then by date, then by id, so that the order never depends on how the store returned them. */
export const newestFirst =
  (order: VersionOrder) =>
  (a: Release, b: Release): number =>
    order.compare(b.version, a.version) ||
    (a.released_at < b.released_at ? 1 : a.released_at > b.released_at ? -1 : b.id - a.id);

/** A version taken apart by the rules of Sparkle's standard comparator. */
export type SparkleVersion = {
  /** The numbers between the periods it begins with. */
  readonly numbers: readonly string[];
  /** What follows up to the first hyphen: runs of digits, runs of letters, and separators one by one. */
  readonly rest: readonly string[];
};

const V = /^v(?=\d)/i;
const NUMBERS = /^(\d+(?:\.\d+)*)\.?/;
const PIECES = /\d+|[\s\p{P}]|[^\d\s\p{P}]+/gu;

/** Takes a version of Sparkle's scheme apart. What follows a hyphen (a commit, say) has no part in the order. */
export const parseSparkleVersion = (version: string): SparkleVersion => {
  const [counted = ''] = version.replace(V, '').split('-', 1);
  const [leading = '', numbers] = NUMBERS.exec(counted) ?? [];
  return { numbers: numbers?.split('.') ?? [], rest: counted.slice(leading.length).match(PIECES) ?? [] };
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareNumbers = (a: string, b: string): number => {
  const [x, y] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  return x.length - y.length || compareText(x, y);
};

/** Letters rank below the end of the version, the end below a separator, a separator below a number. */
const rankOf = (piece: string | undefined): number =>
  piece === undefined ? 1 : /^\d/.test(piece) ? 3 : /^[\s\p{P}]/u.test(piece) ? 2 : 0;

const comparePieces = (a: string | undefined, b: string | undefined): number => {
  const rank = rankOf(a);
  if (a === undefined || b === undefined || rank !== rankOf(b)) return rank - rankOf(b);
  return rank === 3 ? compareNumbers(a, b) : rank === 2 ? 0 : compareText(a, b);
};

/**
 * Orders versions as Sparkle 2's standard comparator (SUStandardVersionComparator) does: number by number, where a
 * missing one counts as 0 (`1.0` is `1.0.0`), then piece by piece, where letters make a version older than it is
 * without them (`1.0b1` < `1.0`) and anything else makes it newer (`1.0` < `1.0 (2)`). Numbers of any length are exact.
 */
export const compareSparkleVersions = (a: SparkleVersion, b: SparkleVersion): number => {
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); i++) {
    const order = compareNumbers(a.numbers[i] ?? '0', b.numbers[i] ?? '0');
    if (order !== 0) return order;
  }
  for (let i = 0; i < Math.max(a.rest.length, b.rest.length); i++) {
    const order = comparePieces(a.rest[i], b.rest[i]);
    if (order !== 0) return order;
  }
  return 0;
};

/** Numbers and single periods, then letters, digits and a few separators. */
const SPARKLE = /^\d+(?:\.\d+)*\.?(?![.\d])[\w.+() -]*(?<! )$/;

/** Sparkle's scheme; a version has at most 64 characters. Without a cache: `parse` may be given one. */
export const sparkleOrder = (parse: (version: string) => SparkleVersion = parseSparkleVersion): VersionOrder => ({
  normalize: (version) => {
    const bare = version.replace(V, '');
    return version.length <= 64 && SPARKLE.test(bare) ? bare : undefined;
  },
  compare: (a, b) => compareSparkleVersions(parse(a), parse(b)),
});
