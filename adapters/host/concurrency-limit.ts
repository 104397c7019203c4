/** Places for bodies that a process receives at once: so many in all, and so many of one owner. */
export type PlaceLimits = { readonly all: number; readonly ofOwner: number };

/** An owner who stalls on every place that it may have leaves the others free. */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #byOwner = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place, and answers the function that gives it back; undefined if none is left. A place without an owner
   * counts among all alone.
   */
  take(owner: string | undefined): (() => void) | undefined {
    const { all, ofOwner } = this.#limits;
    if (this.#taken >= all) return undefined;
    if (owner !== undefined && (this.#byOwner.get(owner) ?? 0) >= ofOwner) return undefined;
    this.#count(owner, 1);
    return () => this.#count(owner, -1);
  }

  /** The places that are taken just now. */
  get taken(): number {
    return this.#taken;
  }

  #count(owner: string | undefined, by: 1 | -1): void {
    this.#taken += by;
    if (owner === undefined) return;
    const now = (this.#byOwner.get(owner) ?? 0) + by;
    if (now === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, now);
  }
}
