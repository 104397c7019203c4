import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { allOfAccount, ofAccount, padded } from './shared.ts';

/** The members that a subscription lacks where it was stored before grace periods, plans for apps and bills existed. */
type LaterMember = 'cancelled_at' | 'grace_days' | 'apps' | 'billing';

/** A subscription as any version of this service stored it. */
export type StoredSubscription = Omit<Subscription, LaterMember> & Partial<Pick<Subscription, LaterMember>>;

export const licensingKeys = {
  /** The entitlements of an account, or only those that name one product. */
  entitlements: (accountId: number, productId?: number) =>
    allOfAccount<Entitlement>(
      accountId,
      productId === undefined ? 'ENTITLEMENT#' : `ENTITLEMENT#${padded(productId)}#`,
    ),
  entitlement: (accountId: number, productId: number, id: number) =>
    ofAccount<Entitlement>(accountId, `ENTITLEMENT#${padded(productId)}#${padded(id)}`),
  subscriptions: (accountId: number) => allOfAccount<StoredSubscription>(accountId, 'SUBSCRIPTION#'),
  subscription: (accountId: number, id: number) =>
    ofAccount<StoredSubscription>(accountId, `SUBSCRIPTION#${padded(id)}`),
};
