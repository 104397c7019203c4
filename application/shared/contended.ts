import type { Pauses } from '../../ports/outbound/system.ts';

const ATTEMPTS = 40;

/** The result of an attempt whose decision is out of date, because another writer changed the records that it read. */
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
 * Like `untilWritten`, for a caller that has read already: the first attempt decides on `first`, and each further one
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
