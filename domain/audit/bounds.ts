import type { DailyBound } from '../shared/daily-bound.ts';

/** Changes a day, far above legitimate use, so nobody with a key or a session can grow the log without limit. */
const CHANGES_A_DAY = 1000;

/*
 * There are two limits, so that a thief with a key can't keep the owner from changing something on the pages. A request
 * that only ends access, such as revoking a key, is never refused.
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
