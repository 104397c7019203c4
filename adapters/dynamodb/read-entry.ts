import type { Entry } from '../store/table-dump.ts';
import { counterPartitionOf, itemPartitionOf, type StoredCounter, type StoredItem } from './items.ts';

/** The entry that a stored item or counter of a scan stands for. */
export const readEntry = (stored: StoredItem | StoredCounter): Entry => {
  const { sk, ttl } = stored;
  const expiry = ttl === undefined ? {} : { expires_at: ttl };
  return 'count' in stored
    ? { pk: counterPartitionOf(stored.pk), sk, counter: stored.count, ...expiry }
    : { pk: itemPartitionOf(stored.pk), sk, data: JSON.parse(stored.data), ...expiry };
};
