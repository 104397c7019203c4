import type { Key, Table, Write } from '../../adapters/store/table.ts';
import { type Entry, isCounter, type TableDump } from '../../adapters/store/table-dump.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** The options of every contract. */
export type ContractOptions = {
  /**
   * The time limit, in milliseconds, of a test, of opening the tested object, and of cleaning up. The default of two
   * minutes suffices for an engine that takes 50 ms per call, one call at a time.
   */
  readonly timeout?: number;
};

export const TIMEOUT = 120_000;

/** The number of calls that clean up concurrently. */
const AT_ONCE = 10;

/**
 * An object whose calls are reported as they begin. The function that `begun` returns runs after the call succeeded.
 */
export const watched = <T extends object>(
  made: T,
  begun: (call: string, args: readonly unknown[]) => (() => void) | undefined,
): T =>
  new Proxy(made, {
    get: (_, name) => {
      const member: unknown = Reflect.get(made, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const done = begun(String(name), args);
        const result = member.apply(made, args);
        Promise.resolve(result).then(done, () => {});
        return result;
      };
    },
  });

const chunked = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

const inTurns = async <T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> => {
  for (const some of chunked(values, AT_ONCE)) await Promise.all(some.map(work));
};

/** Records a test's writes to a table, so that they can be removed afterwards. */
export class WrittenItems {
  #items = new Map<string, Key>();
  #counters = new Map<string, Key>();

  watch<T extends Table | TableDump>(table: T): T {
    return watched(table, (call, [first]) => {
      if (call === 'put') return this.#note([first as Key]);
      if (call === 'transact') return this.#note((first as Write[]).flatMap((one) => ('put' in one ? [one.put] : [])));
      if (call === 'restore') return this.#note(first as Entry[]);
      return call === 'increment' ? this.#note([{ ...(first as Key), counter: 0 }]) : undefined;
    });
  }

  /** Removes every item. Counters can't be removed; they expire, and the engine deletes them later. */
  async removeFrom(table: Table): Promise<void> {
    const [items, counters] = [[...this.#items.values()], [...this.#counters.values()]];
    this.#items = new Map();
    this.#counters = new Map();
    await inTurns(chunked(items, 100), (keys) => table.transact(keys.map((key): Write => ({ remove: key }))));
    const expires_at = Math.floor(Date.now() / 1000) - 60;
    await inTurns(counters, (key) => table.increment(key, 0, { expires_at }));
  }

  /** Copies the keys immediately, because a test may change what it has put. */
  #note(entries: readonly (Key | Entry)[]): () => void {
    const keys = entries.map((entry) => ({ pk: entry.pk, sk: entry.sk, isCount: isCounter(entry as Entry) }));
    return () => {
      for (const { pk, sk, isCount } of keys) {
        (isCount ? this.#counters : this.#items).set(JSON.stringify([pk, sk]), { pk, sk });
      }
    };
  }
}

/** Records the keys under which tests put objects, so that the objects can be removed afterwards. */
export class PutObjects {
  #keys = new Set<string>();

  watch<T extends ObjectStore>(store: T): T {
    return watched(store, (call, [, key]) =>
      call === 'put' || call === 'signUpload' ? () => void this.#keys.add(key as string) : undefined,
    );
  }

  async removeFrom(store: ObjectStore): Promise<void> {
    const keys = [...this.#keys];
    this.#keys = new Set();
    await inTurns(keys, (key) => store.remove(grantPermit(), key));
  }
}
