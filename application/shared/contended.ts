import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { accountMessages } from '../../domain/mail/message.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Pauses } from '../../ports/outbound/system.ts';

const ATTEMPTS = 40;

/** The result of an attempt whose decision is outdated, because another writer changed the records that it read. */
export const CONFLICT = Symbol('conflict');

/** Thrown when other writers changed the same records during every attempt. The same call may succeed later. */
export class Contention extends Error {
  override name = 'Contention';
}

/**
 * Repeats `attempt`, which reads, decides and writes, until its result is not CONFLICT. Throws Contention after 40
 * attempts.
 */
export const untilWritten = async <T>(pauses: Pauses, attempt: () => Promise<T | typeof CONFLICT>): Promise<T> => {
  for (let n = 1; n <= ATTEMPTS; n++) {
    const result = await attempt();
    if (result !== CONFLICT) return result;
    await pauses.before(n);
  }
  throw new Contention('Other requests kept changing the same records; try again.');
};

/**
 * Like `untilWritten`, for a caller that has already read: the first attempt decides on `first`, and each further one
 * on a new `reread()`. Throws Contention after 40 attempts.
 */
export const rereading = <R, T>(
  pauses: Pauses,
  first: R,
  reread: () => Promise<R>,
  attempt: (read: R) => Promise<T | typeof CONFLICT>,
): Promise<T> => {
  let isFirst = true;
  return untilWritten(pauses, async () => {
    const read = isFirst ? first : await reread();
    isFirst = false;
    return attempt(read);
  });
};

type Ports = { readonly accounts: Accounts; readonly pauses: Pauses };

/**
 * Changes an account in its current state, and retries if another writer came first, so no other change is lost.
 * Returns false and writes nothing if the account is gone or `change` returns null. Throws Contention as `untilWritten`
 * does.
 */
export const reviseLatest = (
  { accounts, pauses }: Ports,
  permit: Permit,
  id: number,
  change: (latest: Account) => Account | null,
): Promise<boolean> =>
  untilWritten(pauses, async () => {
    const latest = await accounts.get(id);
    const after = latest ? change(latest) : null;
    if (!latest || !after) return false;
    return (await accounts.revise(permit, latest, after, accountMessages(latest, after))) === 'updated'
      ? true
      : CONFLICT;
  });
