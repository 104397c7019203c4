import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import type { KeyOf, Partition } from './families.ts';
import { accountPartition, padded } from './shared.ts';

/** The members that a subscription lacks where it was stored before grace periods, plans for apps and bills existed. */
type LaterMember = 'cancelled_at' | 'grace_days' | 'apps' | 'billing';

/** A subscription as any version of this service stored it. */
export type StoredSubscription = Omit<Subscription, LaterMember> & Partial<Pick<Subscription, LaterMember>>;

export const licensingKeys = {
  /** The entitlements of an account, or only those that name one product. */
  entitlements: (accountId: number, productId?: number): Partition<Entitlement> => ({
    pk: accountPartition(accountId),
    prefix: productId === undefined ? 'ENTITLEMENT#' : `ENTITLEMENT#${padded(productId)}#`,
  }),
  entitlement: (accountId: number, productId: number, id: number): KeyOf<Entitlement> => ({
    pk: accountPartition(accountId),
    sk: `ENTITLEMENT#${padded(productId)}#${padded(id)}`,
  }),
  subscriptions: (accountId: number): Partition<StoredSubscription> => ({
    pk: accountPartition(accountId),
    prefix: 'SUBSCRIPTION#',
  }),
  subscription: (accountId: number, id: number): KeyOf<StoredSubscription> => ({
    pk: accountPartition(accountId),
    sk: `SUBSCRIPTION#${padded(id)}`,
  }),
};
