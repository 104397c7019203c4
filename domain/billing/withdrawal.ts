import type { WithdrawalTerms } from '../catalog/catalog.ts';
import type { Bundle } from '../catalog/product.ts';
import type { ProductUse } from '../devices/usage.ts';
import { productsBrought } from '../licensing/access.ts';
import { addDays, DAY_MS, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import type { Order, OrderItem } from './order.ts';

/** True for the IANA name of a time zone, such as `Europe/Berlin`. */
export const isTimeZone = (name: string): boolean => {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

const QUARTER_MS = 15 * MINUTE_MS;

/** The time at which a day ends in a time zone. The day is given as its first moment in UTC. */
export const endOfDay = (day: number, timeZone: string): Instant => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  // No zone is further ahead. A day may begin after midnight, so the search proceeds in steps of 15 minutes.
  let end = day + DAY_MS - 14 * 60 * MINUTE_MS;
  while (Date.parse(format.format(end)) <= day) end += QUARTER_MS;
  return toInstant(end);
};

/**
 * The end of the right to withdraw: at the end of the last day in the shop's zone, not counting the day of payment. A
 * holiday does not extend the period.
 */
export const withdrawalEnd = (paidAt: Instant, { days, time_zone }: WithdrawalTerms): Instant => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short' });
  return endOfDay(Date.parse(format.format(millis(paidAt))) + days * DAY_MS, time_zone);
};

/** The evidence of use: the recorded uses, and the bundles that resolve an item to its products. */
export type Uses = {
  readonly uses: readonly ProductUse[];
  readonly bundles: readonly Bundle[];
};

const isUsed = ({ first_used_at, product_id }: OrderItem, paidAt: Instant, { uses, bundles }: Uses): boolean => {
  if (first_used_at !== null) return true;
  if (product_id === null) return false;
  const brought = productsBrought(product_id, bundles);
  return uses.some((use) => use.last_used_at >= paidAt && brought.includes(use.product_id));
};

/** The first reason why a buyer may not withdraw from an order. */
export const WITHDRAWAL_BARS = ['not_offered', 'declared', 'not_paid', 'free', 'period_ended', 'used'] as const;
export type WithdrawalBar = (typeof WITHDRAWAL_BARS)[number];

/**
 * Why the buyer may not withdraw; null if withdrawing is possible: the shop has terms, the order was paid and not
 * refunded, the period has not ended, and no item was used. An item counts as used if the store says so
 * (`first_used_at`), or if the product, or any product of the bundle, was installed, activated or launched, or its
 * bundle downloaded by the API, since the payment. A signed URL, as the pages give it, records no use.
 */
export const withdrawalBar = (
  { status, total_cents, paid_at, items, withdrawal }: Order,
  uses: Uses,
  terms: WithdrawalTerms | null | undefined,
  now: Instant,
): WithdrawalBar | null => {
  if (!terms) return 'not_offered';
  if (withdrawal) return 'declared';
  if (status !== 'paid' || paid_at === null) return 'not_paid';
  if (total_cents <= 0) return 'free';
  // If the end has certainly passed, no calendar is needed.
  if (now >= addDays(paid_at, terms.days + 2) || now >= withdrawalEnd(paid_at, terms)) return 'period_ended';
  return items.some((item) => isUsed(item, paid_at, uses)) ? 'used' : null;
};
