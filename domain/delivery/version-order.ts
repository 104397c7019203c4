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

const PART = /\d+|[A-Za-z]+|[.]|[^A-Za-z\d.]/g;
type PartKind = 'number' | 'string' | 'separator';

const kindOf = (part: string): PartKind =>
  /^\d/.test(part) ? 'number' : /^[A-Za-z]/.test(part) ? 'string' : 'separator';

const compareNumbers = (a: string, b: string): number => {
  const [x, y] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  return x.length - y.length || (x < y ? -1 : x > y ? 1 : 0);
};

/**
 * Sparkle's standard comparator (SUStandardVersionComparator): the version is split into runs of digits, runs of
 * letters and separators; runs of one kind compare with each other, a number ranks above a string and a string above a
 * separator; where one version is a prefix of the other, a rest that begins with letters makes it older
 * (`1.0b1` < `1.0`) and any other rest newer (`1.0` < `1.0.1`).
 */
export const compareSparkleVersions = (a: string, b: string): number => {
  const [left, right] = [a.match(PART) ?? [], b.match(PART) ?? []];
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    const [x, y] = [left[i] as string, right[i] as string];
    const [kx, ky] = [kindOf(x), kindOf(y)];
    if (kx === ky) {
      const order = kx === 'number' ? compareNumbers(x, y) : kx === 'string' ? (x < y ? -1 : x > y ? 1 : 0) : 0;
      if (order !== 0) return order;
    } else if (kx === 'number' || ky === 'number') {
      return kx === 'number' ? 1 : -1;
    } else {
      return kx === 'string' ? 1 : -1;
    }
  }
  if (left.length === right.length) return 0;
  const rest = (left.length > right.length ? left : right).slice(shared);
  const longerIsNewer = kindOf(rest[0] as string) !== 'string';
  return left.length > right.length === longerIsNewer ? 1 : -1;
};

export const sparkleOrder: VersionOrder = {
  normalize: (version) => {
    const bare = version.replace(/^v(?=\d)/i, '');
    return /^\d[\w.+ -]{0,62}$/.test(bare) ? bare : undefined;
  },
  compare: compareSparkleVersions,
};
