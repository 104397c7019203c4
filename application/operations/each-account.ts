import type { Accounts } from '../../ports/outbound/accounts.ts';
import { counted, type Progress } from './progress.ts';

/** Accounts that are read at the same time. */
const AT_ONCE = 20;

/** Reads every account of the store, twenty at the same time. Holds their ids in memory, and no more than `read` keeps. */
export const eachAccount = async (
  accounts: Accounts,
  progress: Progress,
  read: (accountId: number) => Promise<void>,
): Promise<void> => {
  const ids: number[] = [];
  for await (const { id } of accounts.list()) ids.push(id);
  const done = counted(progress, 'Reading accounts', ids.length);
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const some = ids.slice(first, first + AT_ONCE);
    await Promise.all(some.map(read));
    done(some.length);
  }
};
