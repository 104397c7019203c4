import { type SubscriptionStanding, subscriptionStanding } from '../../domain/billing/subscription-standing.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accounts' | 'clock' | 'storedLicenses'>;

export type ListedSubscription = Subscription & { readonly standing: SubscriptionStanding };

const newestFirst = (a: Subscription, b: Subscription): number =>
  a.starts_at === b.starts_at ? b.id - a.id : a.starts_at < b.starts_at ? 1 : -1;

/** Every subscription of an account with its present state, newest first. */
export const listShopSubscriptions =
  ({ accounts, storedLicenses, clock }: Ports) =>
  async (accountId: number): Promise<Outcome<ListedSubscription[], 'account_not_found'>> => {
    const [account, { subscriptions }] = await Promise.all([
      accounts.get(accountId),
      storedLicenses.held(accountId, []),
    ]);
    if (!account) return accountMissing(accountId);
    const now = clock.now();
    return ok(
      [...subscriptions].sort(newestFirst).map((one) => ({ ...one, standing: subscriptionStanding(one, now) })),
    );
  };

export type ListShopSubscriptions = ReturnType<typeof listShopSubscriptions>;
