import type { LicenseTerms, Metadata } from '../catalog/product.ts';
import { addDays, hasPassed, type Instant } from '../shared/instant.ts';
import type { Localized } from '../shared/locale.ts';
import { type ListOrder, placeOf } from '../shared/paging.ts';

/**
 * The statuses that a store can record. Access depends on the dates, and `subscriptionStatus` derives the displayed
 * status.
 */
export const STORED_SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const;
export type StoredSubscriptionStatus = (typeof STORED_SUBSCRIPTION_STATUSES)[number];

/**
 * A recurring right to some products. It gives access from `starts_at` to `ends_at` and through the grace period. Its
 * license terms are those of its sale.
 */
export type Subscription = LicenseTerms & {
  readonly id: number;
  readonly account_id: number;
  readonly product_ids: readonly number[];
  /** The units of each product, by its id; one unit of each if absent. */
  readonly units?: Readonly<Record<string, number>> | undefined;
  readonly status: StoredSubscriptionStatus;
  readonly starts_at: Instant;
  /** The end of the paid period; null if the subscription runs until it is ended. */
  readonly ends_at: Instant | null;
  /** The time at which the buyer cancelled it; the subscription continues until `ends_at`. */
  readonly cancelled_at: Instant | null;
  /** The days after `ends_at` during which a failed renewal can still succeed. */
  readonly grace_days: number;
  /** Devices of each unit; null means the product's limit. */
  readonly device_limit: number | null;
  /** The plan of a subscription to the store's apps; null for any other subscription. */
  readonly apps: AppsPlan | null;
  /** Null if nobody is charged. */
  readonly billing: SubscriptionBilling | null;
  readonly metadata?: Metadata | undefined;
};

/** The newest subscriptions first. */
export const SUBSCRIPTIONS: ListOrder<Subscription> = {
  place: ({ starts_at, id }) => placeOf(starts_at, id),
  highestFirst: true,
};

/** The tier and features of a subscription to the store's apps. The apps are the subscription's products. */
export type AppsPlan = {
  readonly tier: string;
  readonly features: readonly string[];
};

export type SubscriptionBilling = {
  /** The order that started the subscription, and its number. */
  readonly order_id: number | null;
  readonly order_number: string | null;
  readonly payment_method_id: number | null;
  /** Null if there was no trial, or if the trial ends with `ends_at`. */
  readonly trial_ends_at: Instant | null;
  readonly next_charge_at: Instant | null;
  /** In minor units of `renewal_currency`. Null exactly if `renewal_currency` is null. */
  readonly renewal_amount_cents: number | null;
  readonly renewal_currency: string | null;
  /** The price of one unit of the currency in won, as a decimal (`1385.20`), and the source of the rate. */
  readonly krw_exchange: { readonly rate: string; readonly source: string } | null;
  readonly offer: { readonly code: string; readonly name: Localized } | null;
  /** Pages of the store or its payment provider. */
  readonly update_payment_method_url: string | null;
  readonly renewal_url: string | null;
};

type AccessDates = Pick<Subscription, 'ends_at' | 'cancelled_at' | 'grace_days'>;

/** The end of the grace period; null if there is none. A cancelled subscription has none, because no renewal is due. */
export const graceEnd = ({ ends_at, cancelled_at, grace_days }: AccessDates): Instant | null =>
  ends_at === null || cancelled_at !== null || grace_days === 0 ? null : addDays(ends_at, grace_days);

/** The end of access, including the grace period, so a late renewal doesn't stop an app; null means never. */
export const accessEnd = (subscription: AccessDates): Instant | null => graceEnd(subscription) ?? subscription.ends_at;

export const isInGrace = (subscription: Subscription, now: Instant): boolean =>
  hasPassed(subscription.ends_at, now) && !hasPassed(accessEnd(subscription), now);
