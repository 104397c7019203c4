/** The maximum number of concurrent tasks, such as bodies being received: in total, and per owner. */
export type ConcurrencyBounds = { readonly all: number; readonly ofOwner: number };

/** Limits concurrent tasks, so that an owner whose tasks all stall leaves the rest to others. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyBounds;
  readonly #byOwner = new Map<string, number>();
  #running = 0;

  constructor(limits: ConcurrencyBounds) {
    this.#limits = limits;
  }

  /**
   * Starts a task, and returns the function that ends it; undefined if a limit is reached. A task without an owner
   * counts only toward the total.
   */
  begin(owner: string | undefined): (() => void) | undefined {
    const { all, ofOwner } = this.#limits;
    if (this.#running >= all) return undefined;
    if (owner !== undefined && (this.#byOwner.get(owner) ?? 0) >= ofOwner) return undefined;
    this.#count(owner, 1);
    return () => this.#count(owner, -1);
  }

  get running(): number {
    return this.#running;
  }

  #count(owner: string | undefined, by: 1 | -1): void {
    this.#running += by;
    if (owner === undefined) return;
    const now = (this.#byOwner.get(owner) ?? 0) + by;
    if (now === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, now);
  }
}
