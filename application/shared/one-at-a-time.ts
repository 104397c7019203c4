/**
 * Does works of the same name one after the other, within this process: works that would hold much memory side by side,
 * or would lose attempts to each other.
 */
export class OneAtATime {
  /** The end of the last work of each name. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Calls `work` once the works before it have ended, well or not. `waited` is true if there were any. */
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
