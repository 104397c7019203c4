import { addDays, hasPassed, type Instant } from '../shared/instant.ts';
import type { Localized } from '../shared/locale.ts';

/** What a store may call the state of a subscription. The dates decide on access; see `subscriptionStatus` for what is shown. */
export const STORED_SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const;
export type StoredSubscriptionStatus = (typeof STORED_SUBSCRIPTION_STATUSES)[number];

/** A recurring right to some products. It gives access from `starts_at` to `ends_at`, and through the days of grace. */
export type Subscription = {
  readonly id: number;
  readonly account_id: number;
  readonly product_ids: readonly number[];
  readonly status: StoredSubscriptionStatus;
  readonly starts_at: Instant;
  /** The end of what has been paid for; null where it goes on until somebody ends it. */
  readonly ends_at: Instant | null;
  /** When the buyer put an end to it; it runs on to `ends_at`. */
  readonly cancelled_at: Instant | null;
  /** Days after `ends_at` in which a renewal that failed can still be put right. */
  readonly grace_days: number;
  readonly device_limit: number | null;
  /** Where this is a subscription to the store's apps. */
  readonly apps: AppsPlan | null;
  /** Null for one that nobody is charged for. */
  readonly billing: SubscriptionBilling | null;
};

/** What a subscription to the store's apps brings beside the apps themselves, which are its products. */
export type AppsPlan = {
  readonly tier: string;
  readonly features: readonly string[];
};

/** How a subscription is paid for. */
export type SubscriptionBilling = {
  /** The order that began it, with its number. */
  readonly order_id: number | null;
  readonly order_number: string | null;
  readonly payment_method_id: number | null;
  /** Null where there was no trial, or where it ends with `ends_at`. */
  readonly trial_ends_at: Instant | null;
  readonly next_charge_at: Instant | null;
  /** Minor units of `renewal_currency`; both are there or neither. */
  readonly renewal_amount_cents: number | null;
  readonly renewal_currency: string | null;
  /** What one unit of the currency is worth in won, as a decimal (`1385.20`), and who says so. */
  readonly krw_exchange: { readonly rate: string; readonly source: string } | null;
  readonly offer: { readonly code: string; readonly name: Localized } | null;
  /** Pages of the store or its payment provider. */
  readonly update_payment_method_url: string | null;
  readonly renewal_url: string | null;
};

/**
 * The end of the grace period, or null where there is none: a subscription that was cancelled owes nothing and ends when
 * it ends.
 */
export const graceEnd = ({ ends_at, cancelled_at, grace_days }: Subscription): Instant | null =>
  ends_at === null || cancelled_at !== null || grace_days === 0 ? null : addDays(ends_at, grace_days);

/** When access ends: with the grace period, so that a renewal that is late stops no app; null where it has no end. */
export const accessEnd = (subscription: Subscription): Instant | null => graceEnd(subscription) ?? subscription.ends_at;

export const isInGrace = (subscription: Subscription, now: Instant): boolean =>
  hasPassed(subscription.ends_at, now) && !hasPassed(accessEnd(subscription), now);
