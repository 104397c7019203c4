import { randomBytes } from 'node:crypto';
import type { Edition } from './keys/editions.ts';

/** The changes that a snapshot of several chunks may lag behind. */
export const UNPACKED = 48;

/**
 * The changes that an edition keeps. They fit into 4 KB, one read unit, with the longest keys of the catalog. A copy
 * that lags behind by more is read anew.
 */
const KEPT = 2 * UNPACKED;

/** A new mark: 48 random bits, so that no two changes of an edition have the same. */
export const newMark = (): string => randomBytes(6).toString('base64url');

const markIn = (change: string): string => change.slice(0, change.indexOf(' '));

/** The mark of the last change. */
export const markOf = ({ changes }: Edition): string => markIn(changes.at(-1) ?? ' ');

/** The changes after the one with this mark; undefined where the edition no longer knows it. */
const after = ({ changes }: Edition, mark: string | null): readonly string[] | undefined => {
  const at = changes.findIndex((change) => markIn(change) === mark);
  return at < 0 ? undefined : changes.slice(at + 1);
};

/** The sort keys that changed after the change with this mark; undefined where the edition no longer knows it. */
export const changedAfter = (edition: Edition, mark: string | null): string[] | undefined => {
  const changes = after(edition, mark);
  return changes && [...new Set(changes.map((change) => change.slice(change.indexOf(' ') + 1)))];
};

/** The edition after records changed. */
export const withChanges = (edition: Edition | undefined, sortKeys: readonly string[]): Edition => ({
  packed: edition?.packed ?? null,
  is_small: edition?.is_small ?? true,
  changes: [...(edition?.changes ?? []), ...sortKeys.map((sk) => `${newMark()} ${sk}`)].slice(-KEPT),
});

/** True where a new snapshot is due. */
export const isUnpacked = (edition: Edition): boolean => {
  const lag = after(edition, edition.packed)?.length;
  return lag === undefined || lag >= (edition.is_small ? 1 : UNPACKED);
};
