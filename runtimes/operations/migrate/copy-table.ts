import { atMost } from '../../../adapters/crypto/at-most.ts';
import { MAX_BATCH } from '../../../adapters/store/table-checks.ts';
import type { Entry } from '../../../adapters/store/table-dump.ts';
import { AT_ONCE, type MigrateProgress, type Place } from './place.ts';
import { isMoved, type RunRecord } from './run-record.ts';
import { nowInSeconds } from './table-sums.ts';

const batches = (entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / MAX_BATCH) }, (_, i) =>
    entries.slice(i * MAX_BATCH, (i + 1) * MAX_BATCH),
  );

/**
 * Copies every entry after `after`, and replaces those of the target. Returns the number of entries copied. Each page
 * is recorded before it is written, so that after a kill the next run begins with that page.
 */
export const copyTable = async (
  from: Place,
  to: Place,
  { record, after: start, progress }: { record: RunRecord; after: string | null; progress: MigrateProgress },
): Promise<number> => {
  const slot = atMost(AT_ONCE);
  const total = await from.dump.countEntries();
  let copied = 0;
  let after = start;
  do {
    await record.write({ from: from.name, state: 'copying', after });
    const page = await from.dump.dump(nowInSeconds(), after ?? undefined);
    const entries = page.entries.filter(isMoved);
    await Promise.all(batches(entries).map((batch) => slot(() => to.dump.restore(batch))));
    copied += entries.length;
    progress('Entries', copied, Math.max(total, copied));
    after = page.next ?? null;
  } while (after !== null);
  return copied;
};
