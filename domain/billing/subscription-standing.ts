import {
  accessEnd,
  graceEnd,
  isInGrace,
  type Subscription,
  type SubscriptionBilling,
} from '../licensing/subscription.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';

/**
 * `scheduled` begins later. `past_due` waits for a payment. `cancelled` may still be running until its end. `expired`
 * is over.
 */
export type SubscriptionStatus = 'scheduled' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';

/**
 * The action that the buyer is offered. `update_payment_method` and `renew` lead to a page of the store and are offered
 * only if its URL is known. `none`: nothing to do here; contact the store.
 */
export type SubscriptionAction = 'cancel' | 'resume' | 'update_payment_method' | 'renew' | 'none';

export const SUBSCRIPTION_STATUS_LABELS: Readonly<Record<SubscriptionStatus, Readonly<Record<Locale, string>>>> = {
  scheduled: { en: 'Not begun', ko: '시작 전' },
  trialing: { en: 'Trial', ko: '체험 중' },
  active: { en: 'Active', ko: '이용 중' },
  past_due: { en: 'Payment due', ko: '결제 필요' },
  cancelled: { en: 'Cancelled', ko: '해지됨' },
  expired: { en: 'Expired', ko: '만료됨' },
};

/**
 * A trial lasts until its end; without a known end, as long as the stored status says so. Cancelling does not end it.
 */
const isTrial = ({ status, starts_at, ends_at, billing }: Subscription, now: Instant): boolean => {
  if (starts_at > now || hasPassed(ends_at, now)) return false;
  const end = billing?.trial_ends_at ?? null;
  return end === null ? status === 'trialing' : now < end;
};

/**
 * The current status of a subscription. The dates take precedence over the stored status, which can be as old as the
 * last import. A subscription that is over is `expired`, or `cancelled` if the buyer ended it. In its grace period it
 * is `past_due`. After its trial it is `active`. The stored status decides only if the dates don't.
 */
export const subscriptionStatus = (subscription: Subscription, now: Instant): SubscriptionStatus => {
  const { status, starts_at, cancelled_at } = subscription;
  if (hasPassed(accessEnd(subscription), now)) return cancelled_at === null ? 'expired' : 'cancelled';
  if (cancelled_at !== null) return 'cancelled';
  if (starts_at > now) return 'scheduled';
  if (isInGrace(subscription, now) || status === 'past_due') return 'past_due';
  return isTrial(subscription, now) ? 'trialing' : 'active';
};

/** The facts derived from the dates of a subscription. */
export type SubscriptionStanding = {
  readonly status: SubscriptionStatus;
  readonly is_trial: boolean;
  /** True if the subscription is charged, not over and not cancelled. */
  readonly can_cancel: boolean;
  /** True if the subscription was cancelled and runs until the end of the paid period. */
  readonly cancel_at_period_end: boolean;
  /** Null if no charge will follow, or the known date has passed. */
  readonly next_charge_at: Instant | null;
  readonly action: SubscriptionAction;
};

const actionFor = (
  { update_payment_method_url, renewal_url }: SubscriptionBilling,
  status: SubscriptionStatus,
  isOver: boolean,
): SubscriptionAction => {
  const renewal = renewal_url === null ? 'none' : 'renew';
  if (isOver) return renewal;
  if (status === 'cancelled') return 'resume';
  if (status === 'past_due') return update_payment_method_url === null ? renewal : 'update_payment_method';
  return 'cancel';
};

export const subscriptionStanding = (subscription: Subscription, now: Instant): SubscriptionStanding => {
  const { billing, cancelled_at } = subscription;
  const status = subscriptionStatus(subscription, now);
  const isOver = hasPassed(accessEnd(subscription), now);
  const goesOn = billing !== null && !isOver && cancelled_at === null;
  const charge = billing?.next_charge_at ?? null;
  return {
    status,
    is_trial: isTrial(subscription, now),
    can_cancel: goesOn,
    cancel_at_period_end: cancelled_at !== null && !isOver,
    next_charge_at: goesOn && charge !== null && charge > now ? charge : null,
    action: billing === null ? 'none' : actionFor(billing, status, isOver),
  };
};

/** The reason for a subscription's current status, and its date; null if there is none. */
export type SubscriptionReason = {
  readonly because:
    | 'cancelled_and_over'
    | 'over'
    | 'cancelled'
    | 'begins_later'
    | 'in_grace'
    | 'payment_due'
    | 'in_trial'
    | 'in_force';
  readonly at: Instant | null;
};

/** The reason for the status that `subscriptionStatus` returns. */
export const subscriptionReason = (subscription: Subscription, now: Instant): SubscriptionReason => {
  const { starts_at, ends_at, cancelled_at, billing } = subscription;
  const end = accessEnd(subscription);
  switch (subscriptionStatus(subscription, now)) {
    case 'expired':
      return { because: 'over', at: end };
    case 'cancelled':
      return hasPassed(end, now)
        ? { because: 'cancelled_and_over', at: end }
        : { because: 'cancelled', at: cancelled_at };
    case 'scheduled':
      return { because: 'begins_later', at: starts_at };
    case 'past_due':
      return isInGrace(subscription, now)
        ? { because: 'in_grace', at: graceEnd(subscription) }
        : { because: 'payment_due', at: ends_at };
    case 'trialing':
      return { because: 'in_trial', at: billing?.trial_ends_at ?? ends_at };
    case 'active':
      return { because: 'in_force', at: ends_at };
  }
};
