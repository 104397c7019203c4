import type { Account } from '../../../domain/accounts/account.ts';
import type { Erasure, ErasureWalk, UnfinishedErasure } from '../../../domain/accounts/erasure.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, ofAccount, padded, SHARDS } from './shared.ts';

/** Names an account, for an item that leads to it. */
export type AccountPointer = { readonly account_id: number };

/** Where accounts lie, the address that each signs in with, and the list of all accounts. */
export const accountKeys = {
  account: (accountId: number) => ofAccount<Account>(accountId, 'PROFILE'),
  /** Tells that the account was erased. What makes a way into an account depends on this item's absence. */
  erasure: (accountId: number) => ofAccount<Erasure>(accountId, 'ERASED'),
  /** Leads to an erasure until it has ended. */
  unfinishedErasure: (accountId: number): KeyOf<UnfinishedErasure> => ({ pk: 'ERASURES', sk: padded(accountId) }),
  unfinishedErasures: (): Partition<UnfinishedErasure> => ({ pk: 'ERASURES', to: 'A' }),
  /** The walk of the worker, or the one of a command for one account. */
  erasureWalk: (accountId?: number): KeyOf<ErasureWalk> => ({
    pk: 'ERASURES',
    sk: accountId === undefined ? 'WALK' : `WALK#${padded(accountId)}`,
  }),
  /** `normalized` is the address in the form that makes it unique. */
  byEmail: (normalized: string): KeyOf<AccountPointer> => ({ pk: `EMAIL#${normalized}`, sk: 'EMAIL' }),
  /** The accounts from an id on, of a shard of the list, 0 to 7. */
  listed: (shard: number, from = 0): Partition<AccountPointer> => ({ pk: `ACCOUNTS#${shard}`, from: padded(from) }),
  listing: (accountId: number) => keyIn<AccountPointer>(`ACCOUNTS#${accountId % SHARDS}`, padded(accountId)),
};
