/** Requests of a counter: as many as the store counted, and those that it was too busy to count. */
type RequestCounts = { readonly counted: number; readonly missed: number };

/** The most counters to remember. A request of a further owner over its limit costs a look-up. */
const REMEMBERED = 100_000;

const NONE: RequestCounts = { counted: 0, missed: 0 };

/**
 * The requests of the current window that this process knows of, by the name of their counter. A count of the store
 * only grows within its window, so that the number known here is never too high. It remembers the 100,000 counters that
 * were used last.
 */
export class SeenRequests {
  #window = 0;
  readonly #counters = new Map<string, RequestCounts>();

  /** The least number of requests that the counter has got in the window. */
  least(name: string, window: number): number {
    const { counted, missed } = (window === this.#window && this.#counters.get(name)) || NONE;
    return counted + missed;
  }

  /** Notes the number that the store counted. */
  count(name: string, window: number, counted: number): void {
    this.#note(name, window, (seen) => ({ ...seen, counted: Math.max(seen.counted, counted) }));
  }

  /** Notes a request that the store was too busy to count. */
  miss(name: string, window: number): void {
    this.#note(name, window, (seen) => ({ ...seen, missed: seen.missed + 1 }));
  }

  #note(name: string, window: number, change: (seen: RequestCounts) => RequestCounts): void {
    // A count that took long may belong to the window before.
    if (window < this.#window) return;
    if (window > this.#window) this.#counters.clear();
    this.#window = window;
    const seen = change(this.#counters.get(name) ?? NONE);
    // A map keeps its order of insertion, so that the first counter is the one that was used least recently.
    this.#counters.delete(name);
    this.#counters.set(name, seen);
    if (this.#counters.size > REMEMBERED) this.#counters.delete(this.#counters.keys().next().value as string);
  }
}
