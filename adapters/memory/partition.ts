import type { Item, Page, Query } from '../store/table.ts';
import { MAX_PAGE, PAGE_BYTES } from '../store/table-checks.ts';

/** Ranks code units in the order of their code points: halves of surrogate pairs come last. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Orders well-formed strings as their UTF-8 bytes; `<` would put U+1F600 before U+FFFD. */
export const compareUtf8 = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
};

/**
 * Counts the keys that hold, by a binary search: all of them come first in the list, and all before `start` are known
 * to hold.
 */
const countWhile = (sorted: readonly string[], holds: (key: string) => boolean, start = 0): number => {
  let low = start;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Texts whose order by `<` is that of their UTF-8 bytes. `<` is several times as fast as `compareUtf8`. */
const PLAIN = /^[\0-\ud7ff]*$/;

/** An item, and the bytes of its data as JSON. */
export type SizedItem = { readonly item: Item; readonly bytes: number };

/** The items of one partition key. A map finds them; the first query sorts their keys, and writes keep them sorted. */
export class Partition {
  readonly #items = new Map<string, SizedItem>();
  #sorted: string[] | undefined;
  /** False once a key was set that `<` may order differently. */
  #isPlain = true;

  get size(): number {
    return this.#items.size;
  }

  items(): Iterable<Item> {
    return this.#items.values().map(({ item }) => item);
  }

  get(sk: string): Item | undefined {
    return this.#items.get(sk)?.item;
  }

  set(sized: SizedItem): void {
    const { item } = sized;
    if (!this.#items.has(item.sk)) {
      this.#isPlain &&= PLAIN.test(item.sk);
      this.#sorted?.splice(this.#countBefore(this.#sorted, item.sk), 0, item.sk);
    }
    this.#items.set(item.sk, sized);
  }

  delete(sk: string): void {
    if (this.#items.delete(sk) && this.#sorted) this.#sorted.splice(this.#countBefore(this.#sorted, sk), 1);
  }

  page({ prefix = '', from = '', to, after, descending = false, limit = MAX_PAGE }: Query): Page {
    const sorted = (this.#sorted ??= [...this.#items.keys()].sort(compareUtf8));
    const first = this.#countBefore(sorted, prefix);
    let start = from === '' ? first : Math.max(first, this.#countBefore(sorted, from));
    let end = countWhile(sorted, (key) => key.startsWith(prefix), first);
    if (to !== undefined) end = Math.min(end, this.#countUpTo(sorted, to));
    if (after !== undefined && descending) end = Math.min(end, this.#countBefore(sorted, after));
    if (after !== undefined && !descending) start = Math.max(start, this.#countUpTo(sorted, after));

    const count = Math.min(limit, Math.max(0, end - start));
    const page = descending ? sorted.slice(end - count, end).reverse() : sorted.slice(start, start + count);
    const items: Item[] = [];
    let filled = 0;
    for (const sk of page) {
      const { item, bytes } = this.#items.get(sk) as SizedItem;
      items.push(item);
      filled += bytes;
      if (filled >= PAGE_BYTES) break;
    }
    return end - start > items.length ? { items, next: items.at(-1)?.sk } : { items };
  }

  #countBefore(sorted: readonly string[], key: string): number {
    return this.#isPlain && PLAIN.test(key)
      ? countWhile(sorted, (k) => k < key)
      : countWhile(sorted, (k) => compareUtf8(k, key) < 0);
  }

  #countUpTo(sorted: readonly string[], key: string): number {
    return this.#isPlain && PLAIN.test(key)
      ? countWhile(sorted, (k) => k <= key)
      : countWhile(sorted, (k) => compareUtf8(k, key) <= 0);
  }
}
