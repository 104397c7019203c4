/**
 * Counts by label. The `known` labels start at 0, because Prometheus sees no increase in a series that starts with its
 * first event.
 */
export class Tally {
  readonly #counts: Map<string, number>;

  constructor(known: readonly string[] = []) {
    this.#counts = new Map(known.map((label) => [label, 0]));
  }

  add(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  entries(): Iterable<readonly [label: string, count: number]> {
    return this.#counts.entries();
  }
}

/**
 * Durations in seconds, counted in buckets. It uses plain numbers, because each request counts several durations, but
 * scrapes are rare.
 */
export class Durations {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** `bounds` are the upper bounds of the buckets, inclusive and rising. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(seconds: number): void {
    let at = 0;
    while (seconds > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += seconds;
  }

  get sum(): number {
    return this.#sum;
  }

  /** The number of durations up to each bound, and last the total, as Prometheus counts them. */
  upTo(): { readonly bound: number | '+Inf'; readonly count: number }[] {
    let count = 0;
    return this.#counts.map((here, at) => {
      count += here;
      return { bound: this.#bounds[at] ?? '+Inf', count };
    });
  }
}
