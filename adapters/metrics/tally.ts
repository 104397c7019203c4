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
