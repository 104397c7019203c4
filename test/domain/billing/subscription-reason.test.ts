import { expect, test } from 'vitest';
import { subscriptionReason } from '../../../domain/billing/subscription-standing.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aBill, aSubscription, NOW } from '../../support/builders.ts';

const PAST = addDays(NOW, -3);
const SOON = addDays(NOW, 3);

test.each<[string, Partial<Subscription>, ReturnType<typeof subscriptionReason>]>([
  ['runs without an end', {}, { because: 'in_force', at: null }],
  ['runs to an end', { ends_at: SOON }, { because: 'in_force', at: SOON }],
  ['ended', { ends_at: PAST }, { because: 'over', at: PAST }],
  ['ended with its grace period', { ends_at: PAST, grace_days: 1 }, { because: 'over', at: addDays(PAST, 1) }],
  ['is in its grace period', { ends_at: PAST, grace_days: 7 }, { because: 'in_grace', at: addDays(PAST, 7) }],
  ['was cancelled and runs on', { ends_at: SOON, cancelled_at: PAST }, { because: 'cancelled', at: PAST }],
  ['was cancelled and ended', { ends_at: PAST, cancelled_at: PAST }, { because: 'cancelled_and_over', at: PAST }],
  ['begins later', { starts_at: SOON }, { because: 'begins_later', at: SOON }],
  ['waits for a payment', { status: 'past_due', ends_at: SOON }, { because: 'payment_due', at: SOON }],
  [
    'is a trial',
    { ends_at: addDays(NOW, 9), billing: aBill({ trial_ends_at: SOON }) },
    { because: 'in_trial', at: SOON },
  ],
  [
    'is a trial without an end of its own',
    { status: 'trialing', ends_at: SOON, billing: aBill() },
    { because: 'in_trial', at: SOON },
  ],
])('the reason for the state of a subscription that %s is shown with its time', (_, more, reason) => {
  expect(subscriptionReason(aSubscription(more), NOW)).toEqual(reason);
});
