import type { Permit } from '../../domain/access/permit.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { TransferOffer } from '../../domain/licensing/transfer.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ReadScopeKeys } from './access.ts';

/** Entitlements of one account that another account gets, with the license keys of products. */
export type Transfer = {
  readonly from: number;
  readonly into: number;
  readonly at: Instant;
  /** The entitlements as read. */
  readonly entitlements: readonly Entitlement[];
  /** The keys of a product as read, of both accounts. */
  readonly keys: readonly { readonly mine: ReadScopeKeys; readonly theirs: ReadScopeKeys }[];
  /** The products whose devices and sessions follow. */
  readonly devices_of: readonly number[];
  /** The offer that the receiver accepts, as read; absent for a transfer by the shop, which ends any offer. */
  readonly accepted?: TransferOffer | undefined;
  readonly messages: NewMessages;
};

/** Moves licenses between accounts of the built-in store. Orders stay, and their refunds reach what moved. */
export interface Transfers {
  /** Returns false and writes nothing if an account was erased, or a record has changed since it was read. */
  move(permit: Permit, transfer: Transfer): Promise<boolean>;
  /**
   * Moves the devices that belong to an entitlement which `into` got; an interrupted call can be repeated. Returns false
   * if it has not got it, or not from `giver`.
   */
  follow(
    permit: Permit,
    moved: { readonly into: number; readonly entitlement: Entitlement; readonly giver?: number },
  ): Promise<boolean>;
  /** The account that holds an entitlement without an order, which this account had first; undefined if it never moved. */
  holder(account_id: number, id: number): Promise<number | undefined>;
  /** The offers by and to an account, also those that have expired or that their sender has replaced. */
  offers(account_id: number): Promise<TransferOffer[]>;
  /** Stores the offer for both accounts, in place of an earlier one of the same entitlement. */
  offer(permit: Permit, offer: TransferOffer, messages: NewMessages): Promise<boolean>;
  /** Returns false and writes nothing if the sender's offer is another one by now. */
  cancel(permit: Permit, offer: TransferOffer): Promise<boolean>;
}
