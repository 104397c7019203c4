import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { allOfAccount, ofAccount, padded } from './shared.ts';

/** The fields that a subscription lacks if it was stored before grace periods, plans for apps and bills existed. */
type LaterMember = 'cancelled_at' | 'grace_days' | 'apps' | 'billing';

/** A subscription as any version of this service stored it. */
export type StoredSubscription = Omit<Subscription, LaterMember> & Partial<Pick<Subscription, LaterMember>>;

export const licensingKeys = {
  /** The entitlements of an account, or only those that name one product. */
  entitlements: (account_id: number, product_id?: number) =>
    allOfAccount<Entitlement>(
      account_id,
      product_id === undefined ? 'ENTITLEMENT#' : `ENTITLEMENT#${padded(product_id)}#`,
    ),
  entitlement: (account_id: number, product_id: number, id: number) =>
    ofAccount<Entitlement>(account_id, `ENTITLEMENT#${padded(product_id)}#${padded(id)}`),
  subscriptions: (account_id: number) => allOfAccount<StoredSubscription>(account_id, 'SUBSCRIPTION#'),
  subscription: (account_id: number, id: number) =>
    ofAccount<StoredSubscription>(account_id, `SUBSCRIPTION#${padded(id)}`),
};
