import { LRUCache } from 'lru-cache';
import { isUnderWay, type Work } from './kept.ts';

/**
 * Keeps values that were read one by one, until `drop` names them. A read that `drop` overtakes is not kept, because it
 * may be older than the change.
 */
export class KeptBeside<V extends object> {
  readonly #values: LRUCache<number, V>;
  readonly #reading = new Map<number, Work<V>>();
  readonly #read: (id: number) => Promise<V>;

  constructor(max: number, read: (id: number) => Promise<V>) {
    this.#values = new LRUCache({ max });
    this.#read = read;
  }

  kept(id: number): V | undefined {
    return this.#values.get(id);
  }

  /** The value as it is now, or as a read that is under way finds it. */
  read(id: number): Promise<V> {
    const underWay = this.#reading.get(id);
    if (isUnderWay(underWay)) return underWay.work;
    const reading = { work: this.#read(id), began: performance.now() };
    this.#reading.set(id, reading);
    const end = (value?: V): void => {
      if (this.#reading.get(id) !== reading) return;
      this.#reading.delete(id);
      if (value) this.#values.set(id, value);
    };
    reading.work.then(end, () => end());
    return reading.work;
  }

  /** Forgets these values, or all. */
  drop(ids: readonly number[] | undefined): void {
    if (!ids) {
      this.#values.clear();
      this.#reading.clear();
      return;
    }
    for (const id of ids) {
      this.#values.delete(id);
      this.#reading.delete(id);
    }
  }
}
