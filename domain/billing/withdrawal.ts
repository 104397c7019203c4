import type { Bundle } from '../catalog/product.ts';
import type { ProductUse } from '../devices/usage.ts';
import { productsBrought } from '../licensing/access.ts';
import { addDays, DAY_MS, type Instant, millis, toInstant } from '../shared/instant.ts';
import type { Order, OrderItem } from './order.ts';

/** Days in which a consumer may withdraw from a distance purchase. */
export const WITHDRAWAL_DAYS = 7;

/** Korea keeps UTC+9 all year round. */
const KOREA_MS = 9 * 60 * 60 * 1000;

/**
 * The moment at which the right to withdraw ends: midnight in Korea after the seventh day, not counting the day of
 * payment (Act on the Consumer Protection in Electronic Commerce, article 17 (1); Civil Act, article 157). The
 * extension of a period whose last day is a holiday (Civil Act, article 161) is not applied.
 */
export const withdrawalEnd = (paidAt: Instant): Instant => {
  const inKorea = millis(paidAt) + KOREA_MS;
  const dayBegan = inKorea - (inKorea % DAY_MS) - KOREA_MS;
  return addDays(toInstant(dayBegan), WITHDRAWAL_DAYS + 1);
};

/** The evidence of use: the uses that the store knows, and the bundles that resolve an item to its products. */
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

/** The first reason for which a buyer may not withdraw from an order. */
export type WithdrawalBar = 'not_paid' | 'free' | 'period_ended' | 'used';

/**
 * The reason for which the buyer may not withdraw; null where withdrawing is possible: the order is paid with money,
 * nothing was refunded, the period has not ended, and no item was downloaded or used, because use ends the right for
 * digital content (article 17 (2) 5). An item counts as used where the store says so (`first_used_at`), and where the
 * product, or any product of the bundle, was used since the payment: installed, activated on a device, launched or
 * downloaded.
 */
export const withdrawalBar = (
  { status, total_cents, paid_at, items }: Order,
  uses: Uses,
  now: Instant,
): WithdrawalBar | null => {
  if (status !== 'paid' || paid_at === null) return 'not_paid';
  if (total_cents <= 0) return 'free';
  if (now >= withdrawalEnd(paid_at)) return 'period_ended';
  return items.some((item) => isUsed(item, paid_at, uses)) ? 'used' : null;
};

/** True where the buyer may still withdraw from an order (`withdrawalBar`). */
export const canWithdraw = (order: Order, uses: Uses, now: Instant): boolean =>
  withdrawalBar(order, uses, now) === null;
