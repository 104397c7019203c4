import type { KeyOf, Partition, PartitionKey } from './families.ts';

/** An id in a sort key, padded to 16 digits, so that sort keys are ordered by id. */
export const padded = (id: number): string => String(id).padStart(16, '0');

/** The partition of an account. It has all of the account's records, so that one query reads the records of a kind. */
export const accountPartition = (account_id: number): PartitionKey => `ACCOUNT#${account_id}`;

/** The key of a record in a partition. */
export const keyIn = <T extends object>(pk: PartitionKey, sk: string): KeyOf<T> => ({ pk, sk });

/** The key of a record of an account. */
export const ofAccount = <T extends object>(account_id: number, sk: string): KeyOf<T> =>
  keyIn(accountPartition(account_id), sk);

/** The records of an account whose sort keys have a prefix. */
export const allOfAccount = <T extends object>(account_id: number, prefix: string): Partition<T> => ({
  pk: accountPartition(account_id),
  prefix,
});

/** The partition of the whole catalog. */
export const CATALOG = 'CATALOG' as const;

/** The partition of the releases that the public supply shows. */
export const SUPPLY = 'SUPPLY' as const;

export const productPartition = (product_id: number): PartitionKey => `PRODUCT#${product_id}`;

/** The number of partitions of a store-wide list, so that no single partition takes every new entry. */
export const SHARDS = 8;
