import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';

/**
 * What accounts have been granted. A team that keeps this elsewhere implements this one interface, and every rule on
 * top of it (access, limits, windows) stays as it is.
 */
export interface Licenses {
  /**
   * The holdings of an account: every entitlement and subscription, in force or not; with `productIds` at least the
   * entitlements that name one of these products, and so with an empty list the subscriptions alone. Never cached: a grant or a revocation holds from the next call on.
   */
  held(accountId: number, productIds?: readonly number[]): Promise<Holdings>;
}

/** The writing side of the built-in store of grants. */
export interface Grants {
  saveEntitlement(entitlement: Entitlement): Promise<'created' | 'updated' | 'unchanged'>;
  saveSubscription(subscription: Subscription): Promise<'created' | 'updated' | 'unchanged'>;
}
