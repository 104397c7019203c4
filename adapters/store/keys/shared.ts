import type { KeyOf, Partition, PartitionKey } from './families.ts';

/** An id as a part of a sort key: padded to 16 digits, so that the order of sort keys is the order of ids. */
export const padded = (id: number): string => String(id).padStart(16, '0');

/** The partition of an account. It holds all of the account, so that one query reads records of a kind together. */
export const accountPartition = (account_id: number): PartitionKey => `ACCOUNT#${account_id}`;

/** The key of a record in a partition. */
export const keyIn = <T extends object>(pk: PartitionKey, sk: string): KeyOf<T> => ({ pk, sk });

/** The key of a record of an account. */
export const ofAccount = <T extends object>(account_id: number, sk: string): KeyOf<T> =>
  keyIn(accountPartition(account_id), sk);

/** The records of an account whose keys begin so. */
export const allOfAccount = <T extends object>(account_id: number, prefix: string): Partition<T> => ({
  pk: accountPartition(account_id),
  prefix,
});

/** The partition of the whole catalog. */
export const CATALOG = 'CATALOG' as const;

/** The partition of the releases that the public supply shows. */
export const SUPPLY = 'SUPPLY' as const;

export const productPartition = (product_id: number): PartitionKey => `PRODUCT#${product_id}`;

/** A list of the whole store is spread over this many partitions, so no partition takes every new entry. */
export const SHARDS = 8;
