import type { Bundle } from '../catalog/product.ts';
import type { InstallRecord } from '../devices/install-record.ts';
import { productsBrought } from '../licensing/access.ts';
import { addDays, DAY_MS, type Instant, millis, toInstant } from '../shared/instant.ts';
import type { Order, OrderItem } from './order.ts';

/** Days in which a consumer may withdraw from a purchase made at a distance. */
export const WITHDRAWAL_DAYS = 7;

/** Korea keeps UTC+9 all year round. */
const KOREA_MS = 9 * 60 * 60 * 1000;

/**
 * The moment at which the right to withdraw ends: midnight in Korea after the seventh day, where the day of payment itself
 * doesn't count (Act on the Consumer Protection in Electronic Commerce, article 17 (1); Civil Act, article 157). That the
 * period may end later where its last day is a holiday (Civil Act, article 161) is not looked at.
 */
export const withdrawalEnd = (paidAt: Instant): Instant => {
  const inKorea = millis(paidAt) + KOREA_MS;
  const dayBegan = inKorea - (inKorea % DAY_MS) - KOREA_MS;
  return addDays(toInstant(dayBegan), WITHDRAWAL_DAYS + 1);
};

/** The earliest moment at which an order may have been paid that can be withdrawn from now. */
export const withdrawableSince = (now: Instant): Instant => addDays(now, -(WITHDRAWAL_DAYS + 1));

/** What tells whether a purchase was used: the installs that devices have reported, and what bundles bring. */
export type Uses = {
  readonly installs: readonly Pick<InstallRecord, 'product_id' | 'recorded_at'>[];
  readonly bundles: readonly Bundle[];
};

const isUsed = ({ first_used_at, product_id }: OrderItem, paidAt: Instant, { installs, bundles }: Uses): boolean => {
  const brought = productsBrought(product_id, bundles);
  return (
    first_used_at !== null ||
    installs.some((install) => install.recorded_at >= paidAt && brought.includes(install.product_id))
  );
};

/**
 * Whether the buyer may still withdraw from an order: it is paid for, with money, and nothing was refunded; the period has
 * not ended; and nothing of it was downloaded or used, which ends the right for digital content (article 17 (2) 5).
 * Used is what the store says was (`first_used_at`), and what a device has reported to have installed since the payment,
 * of a bundle any product in it.
 */
export const canWithdraw = ({ status, total_cents, paid_at, items }: Order, uses: Uses, now: Instant): boolean =>
  status === 'paid' &&
  total_cents > 0 &&
  paid_at !== null &&
  now < withdrawalEnd(paid_at) &&
  !items.some((item) => isUsed(item, paid_at, uses));
