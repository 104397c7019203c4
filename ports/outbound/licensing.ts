import type { Permit } from '../../domain/access/permit.ts';
import type { ActionOn } from '../../domain/audit/actions.ts';
import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';

/**
 * The entitlements and subscriptions of accounts. A team that stores them elsewhere implements this interface, and all
 * rules that build on it (access, limits, update windows) still work. An implementation must pass the contract suite
 * `contracts/licenses`.
 */
export interface Licenses {
  /**
   * The holdings of an account: every entitlement and subscription, in force or not, in any order. An unknown account
   * holds nothing. With `product_ids`, which must be different, entitlements for other products may be missing; an
   * empty list therefore requests only the subscriptions. Never cached: a grant or a revocation takes effect with the
   * next call.
   *
   * Ended rights are included, so that their owner learns that they have expired or were revoked. Ids are stable. No
   * two entitlements of an account have the same id, and no two subscriptions.
   */
  held(account_id: number, product_ids?: readonly number[]): Promise<Holdings>;
}

/** Writes grants to the built-in store. No write undoes a refund of the order that a record came from. */
export interface Grants {
  saveEntitlement(permit: Permit, entitlement: Entitlement): Promise<'created' | 'updated' | 'unchanged'>;
  /**
   * Replaces the entitlement that was read. Returns false and writes nothing if it has changed since. `done` is the
   * action for the audit log, such as `revoked`.
   */
  reviseEntitlement(
    permit: Permit,
    read: Entitlement,
    after: Entitlement,
    done: ActionOn<'entitlement'>,
  ): Promise<boolean>;
  saveSubscription(permit: Permit, subscription: Subscription): Promise<'created' | 'updated' | 'unchanged'>;
}
