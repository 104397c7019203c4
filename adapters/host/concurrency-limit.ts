/** The most works at once, such as bodies that a process receives: in all, and of one owner. */
export type ConcurrencyBounds = { readonly all: number; readonly ofOwner: number };

/** Bounds works at once, so that an owner who stalls on all that it may have leaves the rest to others. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyBounds;
  readonly #byOwner = new Map<string, number>();
  #running = 0;

  constructor(limits: ConcurrencyBounds) {
    this.#limits = limits;
  }

  /**
   * Begins a work, and answers the function that ends it; undefined if a bound is reached. A work without an owner
   * counts among all alone.
   */
  begin(owner: string | undefined): (() => void) | undefined {
    const { all, ofOwner } = this.#limits;
    if (this.#running >= all) return undefined;
    if (owner !== undefined && (this.#byOwner.get(owner) ?? 0) >= ofOwner) return undefined;
    this.#count(owner, 1);
    return () => this.#count(owner, -1);
  }

  /** The works under way. */
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
