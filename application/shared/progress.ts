import type { Accounts } from '../../ports/outbound/accounts.ts';

export type Stage =
  | 'Reading files'
  | 'Storing files'
  | 'Writing records'
  | 'Checking files'
  | 'Reading records'
  | 'Reading accounts'
  | 'Reading the log'
  | 'Database'
  | 'Entries'
  | 'Files'
  | 'Verifying'
  | 'Customers'
  | 'Orders'
  | 'Subscriptions'
  | 'Refunds';

/**
 * Called with the progress of a long operation: in bytes while files are read, stored and checked, in records while
 * records are read and written, and in accounts while accounts are read.
 */
export type Progress = (stage: Stage, done: number, total: number) => void;

export const unseen: Progress = () => {};

/** Returns a function that adds to the amount done in a stage and reports it. It raises a total that was too low. */
export const counted = (progress: Progress, stage: Stage, total: number): ((more: number) => void) => {
  let done = 0;
  return function counted(more) {
    done += more;
    progress(stage, done, Math.max(total, done));
  };
};

/** The number of accounts read concurrently. */
const AT_ONCE = 20;

/** Reads every account of the store, twenty at a time. Memory holds all ids, and only what `read` keeps. */
export const eachAccount = async (
  accounts: Accounts,
  progress: Progress,
  read: (account_id: number) => Promise<void>,
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
