import { addDays, dayOf, type Instant } from '../shared/instant.ts';

/*
 * Two machines that run on copies of one folder look like one device. Each answer gives the device a value, which its
 * next check gives back, and which is replaced once a day. Of two copies, the second one then presents a value of
 * before, at the latest on its second day.
 */

/** A new value. It begins with the record that it is for: the device of an account and a product. */
export const newValue = (account_id: number, product_id: number, id: number): string =>
  `${account_id}.${product_id}.${id}`;

/** True for values of one account and product. Another one is no sign of a second machine, but of another key. */
const areOfOneRecord = (a: string, b: string): boolean =>
  a.slice(0, a.lastIndexOf('.') + 1) === b.slice(0, b.lastIndexOf('.') + 1);

/** The values that a device's next check may present, and the checks that presented another one. */
export type Continuation = {
  readonly current: string;
  /** The value presented last, which a client has whose answer was lost, or whose folder was put back. */
  readonly before?: string | undefined;
  /** The moments of the last mismatches of 30 days, oldest first; absent without one. */
  readonly mismatches?: readonly Instant[] | undefined;
};

/** A check of a device that holds a slot. */
export type ContinuedCheck = {
  /** Null if the client keeps none. */
  readonly presented: string | null;
  /** A value that nobody had; null for a client that asks for none, as clients of before do. */
  readonly fresh: string | null;
  readonly isFirstOfDay: boolean;
  readonly now: Instant;
};

/** The days in which `MOST_MISMATCHES` make a device shared. */
const COUNTED_DAYS = 30;

/** The mismatches that make a device shared, if they are of two days. One folder that was put back makes one. */
const MOST_MISMATCHES = 3;

/** True if the mismatches say that two machines use the device. */
export const isShared = ({ mismatches = [] }: Continuation): boolean =>
  mismatches.length >= MOST_MISMATCHES && new Set(mismatches.map(dayOf)).size > 1;

/**
 * The device's values after a check, and the value that the check is answered. `kept` is the same object where nothing
 * is to be written: on later checks of a day that present a known value, and for a client that presents none, or one of
 * another account. The value that was presented stays good beside the new one, because the answer may be lost. So a machine that is put back to one
 * snapshot again and again mismatches once. A device that is known as shared is not counted on.
 */
export const continued = (
  kept: Continuation | undefined,
  { presented, fresh, isFirstOfDay, now }: ContinuedCheck,
): { readonly kept: Continuation | undefined; readonly answer: string | null } => {
  if (fresh === null) return { kept, answer: null };
  if (kept === undefined) return isFirstOfDay ? { kept: { current: fresh }, answer: fresh } : { kept, answer: null };
  const isKnown = presented === kept.current || presented === kept.before;
  if (presented === null || (!isKnown && !areOfOneRecord(presented, fresh))) return { kept, answer: kept.current };
  if (isShared(kept) || (isKnown && !isFirstOfDay)) return { kept, answer: presented };
  const since = addDays(now, -COUNTED_DAYS);
  const { mismatches = [] } = kept;
  const counted = isKnown ? mismatches : [...mismatches.filter((at) => at > since), now].slice(-MOST_MISMATCHES);
  return {
    kept: { current: fresh, before: presented, ...(counted.length > 0 && { mismatches: counted }) },
    answer: fresh,
  };
};
