import {
  type SubscriptionStanding,
  subscriptionReason,
  subscriptionStanding,
} from '../../domain/billing/subscription-standing.ts';
import { productsBrought } from '../../domain/licensing/access.ts';
import { accessEnd, graceEnd, type Subscription } from '../../domain/licensing/subscription.ts';
import { hasPassed } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './accounts.ts';

export type ListedSubscription = Subscription & { readonly standing: SubscriptionStanding };

const newestFirst = (a: Subscription, b: Subscription): number =>
  a.starts_at === b.starts_at ? b.id - a.id : a.starts_at < b.starts_at ? 1 : -1;

/** Every subscription of an account with its present state, newest first. */
export const listShopSubscriptions =
  ({ accounts, storedLicenses, clock }: Needs<'accounts' | 'clock' | 'storedLicenses'>) =>
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

/** One subscription of an account: its state now, the reason for the state, and the products that it opens. */
export const describeSubscription =
  ({
    listShopSubscriptions,
    catalogs,
    clock,
  }: Needs<'catalogs' | 'clock'> & { listShopSubscriptions: ListShopSubscriptions }) =>
  async (accountId: number, id: number) => {
    const [listed, { bundles, products }] = await Promise.all([listShopSubscriptions(accountId), catalogs.current()]);
    if (!listed.ok) return listed;
    const found = listed.value.find((one) => one.id === id);
    if (!found) {
      return refuse('subscription_not_found', {
        message: `Account ${accountId} has no subscription ${id}; "subscription list --account ${accountId}" shows them.`,
      });
    }
    const { standing, ...subscription } = found;
    const now = clock.now();
    const covered = new Set(subscription.product_ids.flatMap((productId) => productsBrought(productId, bundles)));
    return ok({
      subscription,
      standing,
      /** The fact that decides on the state. */
      why: subscriptionReason(subscription, now),
      gives_access: subscription.starts_at <= now && !hasPassed(accessEnd(subscription), now),
      /** The end of access, with the grace period; null is never. */
      access_ends_at: accessEnd(subscription),
      grace_ends_at: graceEnd(subscription),
      /** The products that the subscription opens, those of its bundles included. */
      covers: [...covered].map((product_id) => ({ product_id, slug: products.get(product_id)?.slug ?? null })),
    });
  };

export type DescribedSubscription = Extract<
  Awaited<ReturnType<ReturnType<typeof describeSubscription>>>,
  { ok: true }
>['value'];
