import type { Bundle } from '../catalog/product.ts';
import { productsBrought } from '../licensing/access.ts';
import type { Instant } from '../shared/instant.ts';
import type { SubscriptionStanding } from './subscription-standing.ts';

/** A subscription with its standing, its name for buyers, and its products. */
export type NamedStanding = Pick<SubscriptionStanding, 'status' | 'cancel_at_period_end' | 'action'> & {
  readonly name: string;
  readonly product_ids: readonly number[];
};

/** Orders subscriptions by urgency: failed payments first, ended ones last. */
export const needRank = (one: Parameters<typeof isOver>[0]): number =>
  one.status === 'past_due' ? 0 : isOver(one) ? 2 : 1;

/** The subscription whose failed payment ends access first; undefined if no payment failed. */
export const firstDue = <S extends { readonly status: string; readonly access_ends_at: Instant | null }>(
  all: readonly S[],
): S | undefined =>
  all
    .filter(({ status }) => status === 'past_due')
    .sort((a, b) => ((a.access_ends_at ?? '~') < (b.access_ends_at ?? '~') ? -1 : 1))[0];

/** True if a subscription no longer gives access. A cancelled one gives access until its end. */
export const isOver = ({ status, cancel_at_period_end }: Omit<NamedStanding, 'action' | 'name' | 'product_ids'>) =>
  status === 'expired' || (status === 'cancelled' && !cancel_at_period_end);

/** True if the subscription is over and the store has a page to renew it. */
export const canRenew = (one: NamedStanding): boolean => isOver(one) && one.action === 'renew';

/** A renewal would bring nothing new. `by`: the active subscription that includes all of its products. */
export type Included = { readonly by: string | undefined };

/**
 * Whether the buyer already has access to all products of a renewable subscription; null if a renewal would bring
 * something. `all`: the account's subscriptions. `owned`: the products to which the account has access now.
 */
export const includedIn = (
  one: NamedStanding,
  all: readonly NamedStanding[],
  { owned, bundles }: { readonly owned: readonly number[]; readonly bundles: readonly Bundle[] },
): Included | null => {
  const isIn = (ids: readonly number[]) => one.product_ids.every((id) => ids.includes(id));
  if (!canRenew(one) || one.product_ids.length === 0 || !isIn(owned)) return null;
  const other = all
    .filter((two) => !isOver(two) && two.status !== 'scheduled' && two.name !== one.name)
    .find(({ product_ids }) => isIn(product_ids.flatMap((id) => productsBrought(id, bundles))));
  return { by: other?.name };
};
