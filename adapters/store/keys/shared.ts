import type { PartitionKey } from './families.ts';

/** An id as a part of a sort key: padded to 16 digits, so that the order of sort keys is the order of ids. */
export const padded = (id: number): string => String(id).padStart(16, '0');

/** The partition of an account. It holds all of the account, so that one query reads records of a kind together. */
export const accountPartition = (accountId: number): PartitionKey => `ACCOUNT#${accountId}`;

/** The partition of the whole catalog. */
export const CATALOG = 'CATALOG' as const;

/** The partition of the releases that the public supply shows. */
export const SUPPLY = 'SUPPLY' as const;

export const productPartition = (productId: number): PartitionKey => `PRODUCT#${productId}`;

/** A list of the whole store is spread over this many partitions, so that no partition takes every new entry. */
export const SHARDS = 8;
