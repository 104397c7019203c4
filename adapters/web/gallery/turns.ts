import { setImmediate as othersGoOn } from 'node:timers/promises';

/**
 * Runs tasks that keep the processor busy one after another, in the order of their arrival. Between two of them the
 * process answers what else has come in, so that many at once delay the others by one task alone.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => T): Promise<T> {
    const result = this.#last.then(() => othersGoOn()).then(task);
    this.#last = result.catch(() => {});
    return result;
  }
}
