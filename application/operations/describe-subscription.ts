import { type SubscriptionReason, subscriptionReason } from '../../domain/billing/subscription-reason.ts';
import type { SubscriptionStanding } from '../../domain/billing/subscription-standing.ts';
import { productsBrought } from '../../domain/licensing/access.ts';
import { accessEnd, graceEnd, type Subscription } from '../../domain/licensing/subscription.ts';
import { hasPassed, type Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ListShopSubscriptions } from './list-shop-subscriptions.ts';

export type Ports = Needs<'catalogs' | 'clock'> & { listShopSubscriptions: ListShopSubscriptions };

export type DescribedSubscription = {
  readonly subscription: Subscription;
  readonly standing: SubscriptionStanding;
  /** The fact that decides on the state. */
  readonly why: SubscriptionReason;
  readonly gives_access: boolean;
  /** The end of access, with the grace period; null is never. */
  readonly access_ends_at: Instant | null;
  readonly grace_ends_at: Instant | null;
  /** The products that the subscription opens, those of its bundles included. */
  readonly covers: readonly { readonly product_id: number; readonly slug: string | null }[];
};

/** One subscription of an account: its state now, the reason for the state, and the products that it opens. */
export const describeSubscription =
  ({ listShopSubscriptions, catalogs, clock }: Ports) =>
  async (
    accountId: number,
    id: number,
  ): Promise<Outcome<DescribedSubscription, 'account_not_found' | 'subscription_not_found'>> => {
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
      why: subscriptionReason(subscription, now),
      gives_access: subscription.starts_at <= now && !hasPassed(accessEnd(subscription), now),
      access_ends_at: accessEnd(subscription),
      grace_ends_at: graceEnd(subscription),
      covers: [...covered].map((product_id) => ({ product_id, slug: products.get(product_id)?.slug ?? null })),
    });
  };

export type DescribeSubscription = ReturnType<typeof describeSubscription>;
