import type { Permit } from '../../domain/access/permit.ts';
import type { ActionOn } from '../../domain/audit/actions.ts';
import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';

/**
 * The entitlements and subscriptions of accounts. A team that stores them elsewhere implements this interface, and
 * every rule on top of it (access, limits, windows) still works. An implementation is right when it passes the contract
 * suite `contracts/licenses`.
 */
export interface Licenses {
  /**
   * The holdings of an account: every entitlement and subscription, in force or not, in any order. An unknown account
   * holds nothing. With `product_ids`, which are different, entitlements for other products may be missing; an empty
   * list therefore asks for the subscriptions only. Never cached: a grant or a revocation takes effect with the
   * nextcall .
   *
   * A right that has ended stays among them, so that its owner hears that it has expired or was revoked. Ids stay the
   * same. No two entitlements of an account share one, and no two subscriptions.
   */
  held(account_id: number, product_ids?: readonly number[]): Promise<Holdings>;
}

/** The writing side of the built-in store of grants. No write undoes a refund of the order that a record came from. */
export interface Grants {
  saveEntitlement(permit: Permit, entitlement: Entitlement): Promise<'created' | 'updated' | 'unchanged'>;
  /**
   * Replaces the entitlement that was read; false, with nothing written, if it has changed since. `done` is the action
   * for the audit log, such as `revoked`.
   */
  reviseEntitlement(
    permit: Permit,
    read: Entitlement,
    after: Entitlement,
    done: ActionOn<'entitlement'>,
  ): Promise<boolean>;
  saveSubscription(permit: Permit, subscription: Subscription): Promise<'created' | 'updated' | 'unchanged'>;
}
