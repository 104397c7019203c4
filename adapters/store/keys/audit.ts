import type { AuditEntry } from '../../../domain/audit/entry.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { Partition, PartitionKey } from './families.ts';
import { keyIn, padded, SHARDS } from './shared.ts';

/** The UTC month of a moment, `YYYY-MM`, as in partition names. */
export const monthOf = (moment: Instant): string => moment.slice(0, 7);

const partition = (month: string, shard: number): PartitionKey => `AUDIT#${month}#${shard}`;

/** Keys of the audit log: by month and shard, ordered by time. A `shard` is 0 to 7. */
export const auditKeys = {
  /** The entries of a month from `since` (inclusive) to `until` (exclusive); null means no bound. */
  entries: (month: string, shard: number, since: Instant | null, until: Instant | null): Partition<AuditEntry> => ({
    pk: partition(month, shard),
    ...(since !== null && { from: since }),
    ...(until !== null && { to: until }),
  }),
  entry: ({ at, id }: Pick<AuditEntry, 'at' | 'id'>) =>
    keyIn<AuditEntry>(partition(monthOf(at), id % SHARDS), `${at}#${padded(id)}`),
};
