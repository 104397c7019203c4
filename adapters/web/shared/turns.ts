import { setImmediate as othersGoOn } from 'node:timers/promises';
import { OneAtATime } from '../../../application/shared/one-at-a-time.ts';

/**
 * Runs CPU-intensive tasks one after another, in order of arrival. Between two tasks the process handles other
 * requests, so that many tasks at once delay others by only one task.
 */
export class Turns {
  readonly #turns = new OneAtATime();

  take<T>(task: () => T): Promise<T> {
    return this.#turns.run('', () => othersGoOn().then(task));
  }
}
