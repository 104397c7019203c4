/**
 * Counts by a label. The `known` labels begin at 0, because Prometheus sees no increase in a series that begins with
 * its first event.
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
 * Durations in seconds, counted into buckets. It holds plain numbers, because a request counts several durations, and
 * the numbers are asked for once in many thousand requests.
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

  /** The durations up to each bound, and last all of them, as Prometheus counts them. */
  upTo(): { readonly bound: number | '+Inf'; readonly count: number }[] {
    let count = 0;
    return this.#counts.map((here, at) => {
      count += here;
      return { bound: this.#bounds[at] ?? '+Inf', count };
    });
  }
}
