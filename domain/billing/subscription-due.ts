import { isInGrace, type Subscription } from '../licensing/subscription.ts';
import { addDays, type Instant } from '../shared/instant.ts';
import { type ListOrder, placeOf } from '../shared/paging.ts';
import { subscriptionStatus } from './subscription-standing.ts';

/** The subscriptions that the shop looks after: soon renewed, waiting for a failed payment, cancelled and running out. */
export const DUE_STATES = ['renewing', 'failing', 'ending'] as const;
export type DueState = (typeof DUE_STATES)[number];

/** The list of a subscription by its stored facts, and its place by the day of the next change. */
export type DuePlace = { readonly list: 'renews' | 'fails' | 'ends'; readonly at: Instant };

/** The days ahead for which renewals are listed, and those back for which a late payment can still succeed. */
const [DAYS_AHEAD, DAYS_BACK] = [31, 366];

/** The last place of a list. */
const NEVER: Instant = '9999-12-31T23:59:59.999Z';

/** The place of a subscription in the shop's lists; null for one that nothing will change. */
export const duePlace = ({ status, cancelled_at, ends_at, billing }: Subscription): DuePlace | null => {
  if (cancelled_at !== null) return ends_at === null ? null : { list: 'ends', at: ends_at };
  if (status === 'past_due') return { list: 'fails', at: ends_at ?? NEVER };
  const at = billing?.next_charge_at ?? ends_at;
  return at === null ? null : { list: 'renews', at };
};

/** The stretches of the lists that can have a subscription of a state. */
export const stretchesOf = (
  state: DueState,
  now: Instant,
): readonly (Pick<DuePlace, 'list'> & { readonly from: Instant; readonly to: Instant })[] => {
  if (state === 'renewing') return [{ list: 'renews', from: now, to: addDays(now, DAYS_AHEAD) }];
  if (state === 'ending') return [{ list: 'ends', from: now, to: NEVER }];
  const from = addDays(now, -DAYS_BACK);
  return [
    { list: 'fails', from, to: NEVER },
    { list: 'renews', from, to: addDays(now, DAYS_AHEAD) },
  ];
};

/** True if a subscription is in a state now. Its stored facts can be older than that. */
export const isDue = (subscription: Subscription, state: DueState, now: Instant): boolean => {
  const status = subscriptionStatus(subscription, now);
  if (state === 'failing') return status === 'past_due';
  if (state === 'ending') return status === 'cancelled' && !!subscription.ends_at && subscription.ends_at > now;
  return (status === 'active' || status === 'trialing') && !isInGrace(subscription, now);
};

/** The next to change first. */
export const DUE: ListOrder<Subscription> = {
  place: (one) => placeOf(duePlace(one)?.at ?? NEVER, one.account_id, one.id),
};
