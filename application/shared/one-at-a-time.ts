/**
 * Runs tasks of the same name one after the other in this process, because in parallel they would use much memory or
 * conflict.
 */
export class OneAtATime {
  /** The end of the last task of each name. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Calls `work` once earlier tasks have ended, successfully or not. `waited` is true if there were any. */
  async run<T>(name: string, work: (waited: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const result = before ? before.then(() => work(true)) : work(false);
    const end = result.catch(() => {});
    this.#last.set(name, end);
    try {
      return await result;
    } finally {
      if (this.#last.get(name) === end) this.#last.delete(name);
    }
  }
}
