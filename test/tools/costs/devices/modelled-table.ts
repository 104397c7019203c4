import { setTimeout as pause } from 'node:timers/promises';
import { Calls, DEFAULT_LIMITS } from '../../../../adapters/dynamodb/calls.ts';
import { MemoryTable } from '../../../../adapters/memory/memory-table.ts';
import type { Condition, Item, Key, Table, Write } from '../../../../adapters/store/table.ts';

/*
 * A model of DynamoDB, because DynamoDB Local does one thing at a time and tells nothing of races: the memory engine
 * with the times, the conflicts and the capacity of one partition. Its calls are repeated by the engine's own code.
 */

/** Assumed milliseconds of a call: the way to the store and back, and a transaction's two phases. */
export const WAY_MS = 4;
export const TRANSACTION_MS = 8;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
export const PARTITION_UNITS = 1000;

const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const keyOf = (write: Write): Key => ('put' in write ? write.put : 'remove' in write ? write.remove : write.check);

const holds = (condition: Condition | undefined, item: Item | undefined): boolean =>
  condition === undefined || ('absent' in condition ? item === undefined : item?.version === condition.version);

const cancelled = (Code: string): Error =>
  Object.assign(new Error('It is cancelled.'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code }],
  });

/** Write units of one second; unused ones are not kept longer. */
class Capacity {
  #left = PARTITION_UNITS;
  #at = performance.now();

  takes(units: number): boolean {
    const now = performance.now();
    this.#left = Math.min(PARTITION_UNITS, this.#left + ((now - this.#at) * PARTITION_UNITS) / 1000);
    this.#at = now;
    if (this.#left < units) return false;
    this.#left -= units;
    return true;
  }
}

/** The writes that a table was asked for. */
export type Written = { transactions: number; conflicts: number; throttled: number; units: number };

/** A table of one partition, with the writes that it counts. */
export const modelledTable = () => {
  const memory = new MemoryTable();
  const capacity = new Capacity();
  const locked = new Set<string>();
  const calls = new Calls('modelled', DEFAULT_LIMITS);
  const written: Written = { transactions: 0, conflicts: 0, throttled: 0, units: 0 };

  const spend = (units: number): void => {
    if (!capacity.takes(units)) {
      written.throttled++;
      throw cancelled('ThrottlingError');
    }
    written.units += units;
  };

  /** Takes two units for each item, also where it is cancelled. */
  const transactOnce = async (writes: readonly Write[]): Promise<boolean> => {
    await pause(WAY_MS / 2);
    written.transactions++;
    spend(2 * writes.length);
    const keys = writes.map((write) => keyText(keyOf(write)));
    if (keys.some((key) => locked.has(key))) {
      written.conflicts++;
      await pause(WAY_MS / 2);
      throw cancelled('TransactionConflict');
    }
    for (const key of keys) locked.add(key);
    try {
      const items = await Promise.all(writes.map((write) => memory.get(keyOf(write))));
      const mayWrite = writes.every(({ condition }, n) => holds(condition, items[n]));
      if (mayWrite) {
        await pause(TRANSACTION_MS);
        await memory.transact(writes);
      }
      return mayWrite;
    } finally {
      for (const key of keys) locked.delete(key);
      await pause(WAY_MS / 2);
    }
  };

  const own: Partial<Table> = {
    transact: (writes, { hurried = false } = {}) =>
      calls.run(() => transactOnce(writes), { hurried: hurried ? 1 : undefined }),
    put: (item, condition) =>
      calls.run(async () => {
        await pause(WAY_MS / 2);
        spend(1);
        const done = await memory.put(item, condition);
        await pause(WAY_MS / 2);
        return done;
      }),
  };
  const table = new Proxy<Table>(memory, {
    get: (target, name) => {
      const method: unknown = Reflect.get(own, name);
      if (method !== undefined) return method;
      const read: unknown = Reflect.get(target, name);
      if (typeof read !== 'function') return read;
      return async (...asked: unknown[]) => {
        await pause(WAY_MS);
        return read.apply(target, asked);
      };
    },
  });
  return { table, written };
};
