import { compareText } from '../shared/compare-text.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Release } from './release.ts';

/** A total order on the versions of one scheme. */
export type VersionOrder = {
  /**
   * The version in the scheme's canonical form (no leading `v`, missing components filled); undefined for an invalid
   * one.
   */
  normalize(version: string): string | undefined;
  /** Negative if `a` is older than `b`, zero if they rank the same. Both must be versions of the scheme. */
  compare(a: string, b: string): number;
};

/**
 * A version from a query parameter, in the scheme's canonical form. An unescaped `+` arrives as a space. An invalid
 * version is refused, because its client would be offered the same update forever.
 */
export const clientVersion = (
  field: string,
  version: string,
  { version_scheme }: { readonly version_scheme: string },
  order: VersionOrder,
): Outcome<string, 'validation_failed'> => {
  const read = order.normalize(version.trim()) ?? order.normalize(version.trim().replaceAll(' ', '+'));
  if (read !== undefined) return ok(read);
  const sentence = `The ${field} field must be a version such as 1.4.0, in the product’s scheme ${version_scheme}.`;
  return refuse('validation_failed', { data: { errors: { [field]: [sentence] } } });
};

/** Newest first: by version, then by date, then by id. The order does not depend on the store. */
export const newestFirst =
  (order: VersionOrder) =>
  (a: Release, b: Release): number =>
    order.compare(b.version, a.version) || compareText(b.released_at, a.released_at) || b.id - a.id;

/** The parts of a version by the rules of Sparkle's standard comparator. */
export type SparkleVersion = {
  /** The leading numbers between periods. */
  readonly numbers: readonly string[];
  /** The rest up to the first hyphen: runs of digits, runs of letters, and single separators. */
  readonly rest: readonly string[];
};

const V = /^v(?=\d)/i;
const NUMBERS = /^(\d+(?:\.\d+)*)\.?/;
const PIECES = /\d+|[\s\p{P}]|[^\d\s\p{P}]+/gu;

/** Splits a version of Sparkle's scheme. Text after a hyphen, such as a commit, does not affect the order. */
export const parseSparkleVersion = (version: string): SparkleVersion => {
  const [counted = ''] = version.replace(V, '').split('-', 1);
  const [leading = '', numbers] = NUMBERS.exec(counted) ?? [];
  return { numbers: numbers?.split('.') ?? [], rest: counted.slice(leading.length).match(PIECES) ?? [] };
};

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
 * Orders versions as Sparkle 2's standard comparator (SUStandardVersionComparator) does. Numbers are compared one by
 * one; a missing number counts as 0 (`1.0` is `1.0.0`). Then pieces are compared one by one; letters make a version
 * older (`1.0b1` < `1.0`), and other pieces make it newer (`1.0` < `1.0 (2)`). Numbers of any length are exact.
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

const SPARKLE = /^\d+(?:\.\d+)*\.?(?![.\d])[\w.+() -]*(?<! )$/;

/**
 * The order of Sparkle's scheme, whose versions have at most 64 characters. Pass a caching `parse` to parse each once.
 */
export const sparkleOrder = (parse: (version: string) => SparkleVersion = parseSparkleVersion): VersionOrder => ({
  normalize: (version) => {
    const bare = version.replace(V, '');
    return version.length <= 64 && SPARKLE.test(bare) ? bare : undefined;
  },
  compare: (a, b) => compareSparkleVersions(parse(a), parse(b)),
});
