import { accessEnd, graceEnd, isInGrace, type Subscription } from '../licensing/subscription.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';
import { subscriptionStatus } from './subscription-standing.ts';

/** The fact that gives a subscription its present status, and the moment that belongs to it; null where there is none. */
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

/** The reason for the status that `subscriptionStatus` gives. */
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
