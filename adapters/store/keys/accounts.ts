import type { Account } from '../../../domain/accounts/account.ts';
import type { Erasure, ErasureWalk, UnfinishedErasure } from '../../../domain/accounts/erasure.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, ofAccount, padded, SHARDS } from './shared.ts';

/** Points to an account. */
export type AccountPointer = { readonly account_id: number };

const addressesLike = (address: string): `ADDRESSES#${string}` => `ADDRESSES#${[...address][0] ?? ''}`;

/** Keys of accounts, of their sign-in addresses, and of the list of all accounts. */
export const accountKeys = {
  account: (account_id: number) => ofAccount<Account>(account_id, 'PROFILE'),
  /** Marks the account as erased. Creating a way into an account is conditional on this item's absence. */
  erasure: (account_id: number) => ofAccount<Erasure>(account_id, 'ERASED'),
  /** Points to an unfinished erasure. */
  unfinishedErasure: (account_id: number): KeyOf<UnfinishedErasure> => ({ pk: 'ERASURES', sk: padded(account_id) }),
  unfinishedErasures: (): Partition<UnfinishedErasure> => ({ pk: 'ERASURES', to: 'A' }),
  /** The position of the worker's scan, or of a command's scan for one account. */
  erasureWalk: (account_id?: number): KeyOf<ErasureWalk> => ({
    pk: 'ERASURES',
    sk: account_id === undefined ? 'WALK' : `WALK#${padded(account_id)}`,
  }),
  /** `normalized` is the address in its canonical form. */
  byEmail: (normalized: string): KeyOf<AccountPointer> => ({ pk: `EMAIL#${normalized}`, sk: 'EMAIL' }),
  /** The accounts in the order of their canonical addresses, by the first character. */
  addressed: (address: string, account_id: number) =>
    keyIn<AccountPointer>(addressesLike(address), `${address}#${padded(account_id)}`),
  addressedFrom: (beginning: string): Partition<AccountPointer> => ({
    pk: addressesLike(beginning),
    prefix: beginning,
  }),
  /** The accounts of a list shard after an id, or before it, newest first. A `shard` is 0 to 7. */
  listed: (shard: number, after = -1, newestFirst = false): Partition<AccountPointer> => ({
    pk: `ACCOUNTS#${shard}`,
    ...(newestFirst ? { to: padded(Math.max(0, after - 1)), descending: true } : { from: padded(after + 1) }),
  }),
  listing: (account_id: number) => keyIn<AccountPointer>(`ACCOUNTS#${account_id % SHARDS}`, padded(account_id)),
};
