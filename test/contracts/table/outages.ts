import { expect, test } from 'vitest';
import { StoreUnavailable, type Table } from '../../../adapters/store/table.ts';
import { newKey } from './helpers.ts';

/** A table with an unreachable store. */
export type Outage = {
  readonly table: Table;
  /** Ends the outage. */
  readonly restore: () => Promise<void> | void;
};

/**
 * A call without an answer rejects within the ten seconds that `Table` promises. Two more allow for a busy machine,
 * whose timers fire late when many calls reject at the same moment.
 */
const BOUND_MS = 10_000 + 2000;

const CALLS: readonly [string, (table: Table) => Promise<unknown>][] = [
  ['get', (table) => table.get(newKey())],
  ['get that need not be consistent', (table) => table.get(newKey(), { consistent: false })],
  ['getMany', (table) => table.getMany([newKey(), newKey()])],
  ['query', (table) => table.query({ pk: newKey().pk })],
  ['put', (table) => table.put({ ...newKey(), data: {} })],
  ['put if absent', (table) => table.put({ ...newKey(), data: {} }, { absent: true })],
  ['remove', (table) => table.remove(newKey())],
  ['remove of a version', (table) => table.remove(newKey(), { version: 'never given' })],
  ['increment', (table) => table.increment(newKey(), 1)],
  ['volatile increment', (table) => table.increment(newKey(), 1, { volatile: true })],
  ['transaction', (table) => table.transact([{ put: { ...newKey(), data: {} } }, { remove: newKey() }])],
  ['check', (table) => table.transact([{ check: newKey(), condition: { absent: true } }])],
  ['ping', (table) => table.ping()],
];

/** The name of the error with which a call rejected in time, or otherwise a description. */
const faultOf = async (call: Promise<unknown>): Promise<string> => {
  const start = performance.now();
  try {
    await call;
    return 'no error';
  } catch (error) {
    if (performance.now() - start > BOUND_MS) return 'too late';
    if (!(error instanceof StoreUnavailable)) return `another error: ${error}`;
    return /^.+$/.test(error.message) ? error.name : `no single line: ${error.message}`;
  }
};

/** The number of concurrent calls of each kind, as in a busy process. */
const AT_ONCE = 5;

export const outages = (open: () => Promise<Outage> | Outage): void => {
  const opened = async (work: (outage: Outage) => Promise<void>): Promise<void> => {
    const outage = await open();
    try {
      await work(outage);
    } finally {
      await outage.table.close();
    }
  };
  const expectUnavailable = async (table: Table): Promise<void> => {
    const calls = Array.from({ length: AT_ONCE }, () => CALLS).flat();
    const faults = await Promise.all(calls.map(async ([name, call]) => [name, await faultOf(call(table))]));
    expect(faults).toEqual(calls.map(([name]) => [name, 'StoreUnavailable']));
  };

  test('every call rejects with StoreUnavailable, in time, while the store is out of reach', () =>
    opened(({ table }) => expectUnavailable(table)));

  test('a table works again when the outage is over', () =>
    opened(async ({ table, restore }) => {
      await expectUnavailable(table);
      await restore();
      for (const [, call] of CALLS) await call(table);
    }));
};
