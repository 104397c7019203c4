import type { Permit } from '../../domain/access/permit.ts';
import type { Membership } from '../../domain/accounts/account.ts';
import type { ActionOn } from '../../domain/audit/actions.ts';
import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import type { Trial } from '../../domain/licensing/trial.ts';
import type { Instant } from '../../domain/shared/instant.ts';

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
   *
   * The holdings of teams in which the account has a place come as `places`: of all teams, or with `product_ids` of
   * those. `memberships` are the account's places as its key has them, by which all are read in one round trip; the
   * answer is by the account itself, so a place that was taken back since is missing. Without them, the account is read
   * first. A team with its own licenses may leave out `places`.
   */
  held(account_id: number, product_ids?: readonly number[], memberships?: readonly Membership[]): Promise<Holdings>;
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

/** A trial as read. `trial` is undefined if there is none or it is forgotten; `version` is null if no item exists. */
export type ReadTrial = { readonly trial: Trial | undefined; readonly version: string | null };

/** The number of trials that started in a month (UTC), and of those whose device has had a license since. */
export type TrialMonth = { readonly month: string; readonly started: number; readonly converted: number };

/** The trials of devices. A device is found by the hash of its id. */
export interface Trials {
  /** With `consistent: false`, the newest trials may be missing. */
  find(
    product_id: number,
    device_id: string,
    now: Instant,
    options?: { readonly consistent: boolean },
  ): Promise<ReadTrial>;
  /** Stores a new trial, and counts it. Returns false and writes nothing if the trial has changed since the read. */
  start(permit: Permit, device_id: string, trial: Trial, read: ReadTrial): Promise<boolean>;
  /** Stores that the trial's device has a license, and counts it. Does nothing if the trial has changed. */
  convert(permit: Permit, device_id: string, trial: Trial, read: ReadTrial): Promise<void>;
  /** Replaces the trial by the shop's decision. Returns false and writes nothing if it has changed since the read. */
  revise(permit: Permit, device_id: string, trial: Trial, read: ReadTrial): Promise<boolean>;
  /** The counts of these months, each `YYYY-MM`. */
  months(product_id: number, months: readonly string[]): Promise<TrialMonth[]>;
}
