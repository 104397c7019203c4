import { setImmediate as turn } from 'node:timers/promises';
import type { Table, Write } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

type AnyKey = { readonly pk: string; readonly sk: string };

const nameOf = ({ pk, sk }: AnyKey): string => `${pk} ${sk}`;

/** The key that one step of a transaction writes; none for a check. */
const keysOf = (write: Write): AnyKey[] => {
  if ('put' in write) return [write.put];
  return 'remove' in write ? [write.remove] : [];
};

/** The keys that a table call writes; empty for a read. */
const written = (call: string, [first]: readonly unknown[]): string[] => {
  if (call === 'transact') return (first as readonly Write[]).flatMap(keysOf).map(nameOf);
  return ['put', 'remove', 'increment'].includes(call) ? [nameOf(first as AnyKey)] : [];
};

/** The number of turns of the event loop for which a guard delays a request. */
const TURNS = 3;

const slowly = async <T>(work: Promise<T>): Promise<T> => {
  const value = await work;
  for (let n = 0; n < TURNS; n++) await turn();
  return value;
};

/** Waits long enough for everything on the memory engine to finish. */
export const settle = async (): Promise<void> => {
  for (let n = 0; n < 10 * TURNS; n++) await turn();
};

/** Every write to a table and an object store, by key, in order. */
export class Recorder {
  #writes: string[] = [];

  /** The writes since the last call, without the counts of the rate limiter, which is a guard itself. */
  take(): string[] {
    const writes = this.#writes.filter((name) => !name.startsWith('RATE#'));
    this.#writes = [];
    return writes;
  }

  /**
   * The same table with slower reads of the guards, counters and queries, so that a use case that did not wait for its
   * permit would write before the guards have decided.
   */
  table(table: Table): Table {
    return new Proxy(table, {
      get: (target, name) => {
        const call: unknown = Reflect.get(target, name);
        if (typeof call !== 'function') return call;
        return (...args: unknown[]): unknown => {
          this.#writes.push(...written(String(name), args));
          const result: unknown = Reflect.apply(call, target, args);
          return name === 'increment' || name === 'query' ? slowly(result as Promise<unknown>) : result;
        };
      },
    });
  }

  /** Records all puts into the store from now on. */
  objects(objects: ObjectStore): void {
    const put = objects.put.bind(objects);
    objects.put = (permit, key, ...rest) => {
      this.#writes.push(`object ${key}`);
      return put(permit, key, ...rest);
    };
  }
}
