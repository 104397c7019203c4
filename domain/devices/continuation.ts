import { addDays, dayOf, type Instant } from '../shared/instant.ts';

/*
 * Two machines with copies of one folder look like one device. Each answer contains a value that the next check sends
 * back, and that changes once a day. So one of two copies presents an old value, at the latest on its second day.
 */

/** A new value. It starts with its account and product. */
export const newValue = (account_id: number, product_id: number, id: number): string =>
  `${account_id}.${product_id}.${id}`;

/**
 * True for values of the same account and product. A value of another one shows a different key, not a second machine.
 */
const areOfOneRecord = (a: string, b: string): boolean =>
  a.slice(0, a.lastIndexOf('.') + 1) === b.slice(0, b.lastIndexOf('.') + 1);

/** The values that a device's next check may present, and the checks that presented a different one. */
export type Continuation = {
  readonly current: string;
  /** The value presented last: a client still has it if the answer was lost or its folder was restored. */
  readonly before?: string | undefined;
  /** The times of mismatches within 30 days, oldest first; absent if there are none. */
  readonly mismatches?: readonly Instant[] | undefined;
};

/** A check of a device that holds a slot. */
export type ContinuedCheck = {
  /** Null if the client stores none. */
  readonly presented: string | null;
  /** A new value; null for an older client that doesn't ask for one. */
  readonly fresh: string | null;
  readonly isFirstOfDay: boolean;
  readonly now: Instant;
};

/** The days within which `MOST_MISMATCHES` mark a device as shared. */
const COUNTED_DAYS = 30;

/**
 * The number of mismatches that mark a device as shared, if they are on at least two days. A restored folder causes
 * only one.
 */
const MOST_MISMATCHES = 3;

/** True if the mismatches show that two machines use the device. */
export const isShared = ({ mismatches = [] }: Continuation): boolean =>
  mismatches.length >= MOST_MISMATCHES && new Set(mismatches.map(dayOf)).size > 1;

/**
 * The device's values after a check, and the value to return. `state` is the same object if nothing must be written: on
 * later checks of a day with a known value, and for a client that presents no value, or one of another account. The
 * presented value stays valid in addition to the new one, because the answer may be lost. So a machine that is
 * repeatedly reset to one snapshot mismatches once. A device already marked as shared is not counted further.
 */
export const continued = (
  state: Continuation | undefined,
  { presented, fresh, isFirstOfDay, now }: ContinuedCheck,
): { readonly state: Continuation | undefined; readonly answer: string | null } => {
  if (fresh === null) return { state, answer: null };
  if (state === undefined) return isFirstOfDay ? { state: { current: fresh }, answer: fresh } : { state, answer: null };
  const isKnown = presented === state.current || presented === state.before;
  if (presented === null || (!isKnown && !areOfOneRecord(presented, fresh))) return { state, answer: state.current };
  if (isShared(state) || (isKnown && !isFirstOfDay)) return { state, answer: presented };
  const since = addDays(now, -COUNTED_DAYS);
  const { mismatches = [] } = state;
  const counted = isKnown ? mismatches : [...mismatches.filter((at) => at > since), now].slice(-MOST_MISMATCHES);
  return {
    state: { current: fresh, before: presented, ...(counted.length > 0 && { mismatches: counted }) },
    answer: fresh,
  };
};
