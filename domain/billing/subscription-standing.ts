import { accessEnd, isInGrace, type Subscription } from '../licensing/subscription.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';

/** `scheduled` begins later; `past_due` waits for a payment, in the grace period or before; the last two are over or about to be. */
export type SubscriptionStatus = 'scheduled' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';

/** What the buyer is offered to do with it. */
export type SubscriptionAction = 'cancel' | 'resume' | 'update_payment_method' | 'renew' | 'none';

export const SUBSCRIPTION_STATUS_LABELS: Readonly<Record<SubscriptionStatus, Readonly<Record<Locale, string>>>> = {
  scheduled: { en: 'Not begun', ko: '시작 전' },
  trialing: { en: 'Trial', ko: '체험 중' },
  active: { en: 'Active', ko: '이용 중' },
  past_due: { en: 'Payment due', ko: '결제 필요' },
  cancelled: { en: 'Cancelled', ko: '해지됨' },
  expired: { en: 'Expired', ko: '만료됨' },
};

/** A trial lasts to its own end, else as long as the store calls it one; it may have been cancelled and run on. */
const isTrial = ({ status, starts_at, ends_at, billing }: Subscription, now: Instant): boolean => {
  if (starts_at > now || hasPassed(ends_at, now)) return false;
  const end = billing?.trial_ends_at ?? null;
  return end === null ? status === 'trialing' : now < end;
};

/**
 * What a subscription is now. The dates come first, for the store's own word may be as old as the last import: one that
 * is over is `expired`, or `cancelled` where the buyer ended it; one in its grace period is `past_due`; a trial that has
 * ended is `active`. Only what the dates leave open is as the store says.
 */
export const subscriptionStatus = (subscription: Subscription, now: Instant): SubscriptionStatus => {
  const { status, starts_at, cancelled_at } = subscription;
  if (hasPassed(accessEnd(subscription), now)) return cancelled_at === null ? 'expired' : 'cancelled';
  if (cancelled_at !== null) return 'cancelled';
  if (starts_at > now) return 'scheduled';
  if (isInGrace(subscription, now) || status === 'past_due') return 'past_due';
  return isTrial(subscription, now) ? 'trialing' : 'active';
};

/** All that follows from the dates of a subscription. */
export type SubscriptionStanding = {
  readonly status: SubscriptionStatus;
  readonly is_trial: boolean;
  /** Somebody is charged for it, it is not over, and nobody has cancelled it yet. */
  readonly can_cancel: boolean;
  /** It was cancelled and runs on to the end of what has been paid for. */
  readonly cancel_at_period_end: boolean;
  /** Null where nothing will be charged, and where the date known is over. */
  readonly next_charge_at: Instant | null;
  readonly action: SubscriptionAction;
};

const actionFor = (status: SubscriptionStatus, isOver: boolean, canCancel: boolean): SubscriptionAction => {
  if (isOver) return 'renew';
  if (status === 'cancelled') return 'resume';
  if (status === 'past_due') return 'update_payment_method';
  return canCancel ? 'cancel' : 'none';
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
    action: billing === null ? 'none' : actionFor(status, isOver, goesOn),
  };
};
