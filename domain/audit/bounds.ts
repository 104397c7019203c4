import type { DailyBound } from '../shared/daily-bound.ts';

/** Changes in a day, far above honest use, so that nobody who has a key or a session can make the log grow for ever. */
const CHANGES_A_DAY = 1000;

/*
 * The bounds are two, so that whoever stole a key can't keep the account's owner from changing something on the pages.
 * A request that only ends access, such as the revocation of a key, is never refused: each end needs a beginning, which
 * is bounded.
 */

export const CHANGES_BY_KEYS: DailyBound = {
  name: 'changes-by-keys',
  most: CHANGES_A_DAY,
  what: 'changes of an account by its keys',
};

export const CHANGES_ON_PAGES: DailyBound = {
  name: 'changes-on-pages',
  most: CHANGES_A_DAY,
  what: 'changes of an account on its pages',
};
