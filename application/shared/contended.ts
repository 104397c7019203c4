import type { Pauses } from '../../ports/outbound/pauses.ts';

const ATTEMPTS = 40;

/** Somebody else changed what the decision was made on, so it has to be made again. */
export const CONFLICT = Symbol('conflict');

/** Too many others were changing the same thing for as long as we tried; the same call may go through later. */
export class Contention extends Error {
  override name = 'Contention';
}

/** Reads, decides and writes until nobody came in between; gives up with Contention after 40 attempts. */
export const untilWritten = async <T>(pauses: Pauses, attempt: () => Promise<T | typeof CONFLICT>): Promise<T> => {
  for (let n = 1; n <= ATTEMPTS; n++) {
    const result = await attempt();
    if (result !== CONFLICT) return result;
    await pauses.before(n);
  }
  throw new Contention('This changed too often to be decided; try again.');
};
