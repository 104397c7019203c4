import { setImmediate as othersGoOn } from 'node:timers/promises';
import { OneAtATime } from '../../../application/shared/one-at-a-time.ts';

/**
 * Runs tasks that keep the processor busy one after another, in the order of their arrival. Between two of them the
 * process answers what else has come in, so that many at once delay the others by one task alone.
 */
export class Turns {
  readonly #turns = new OneAtATime();

  take<T>(task: () => T): Promise<T> {
    return this.#turns.run('', () => othersGoOn().then(task));
  }
}
