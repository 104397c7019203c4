import { expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import {
  measuredObjects,
  measuredTable,
  objectOperations,
  tableOperations,
} from '../../adapters/metrics/measured-stores.ts';
import { StoreUnavailable, type Table } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { forwarding, OBJECT_CALLS, TABLE_CALLS } from '../support/forwarding.ts';
import { failing } from '../surface/faulty.ts';

forwarding('a measured table', TABLE_CALLS, (inner: Table) => measuredTable(inner, tableOperations()));
forwarding('a measured object store', OBJECT_CALLS, (inner: ObjectStore) => measuredObjects(inner, objectOperations()));

const KEY = { pk: 'p', sk: 's' };

type Operations = Pick<ReturnType<typeof tableOperations> | ReturnType<typeof objectOperations>, 'each'>;

/** The number of calls of each operation. */
const callsIn = (operations: Operations): Record<string, number | undefined> =>
  Object.fromEntries(
    operations
      .each()
      .map(({ operation, durations }) => [operation, durations.upTo().at(-1)?.count] as const)
      .filter(([, count]) => count !== 0),
  );

test('each call of a measured table is timed once, under its own name', async () => {
  const operations = tableOperations();
  const table = measuredTable(new MemoryTable(), operations);
  await table.put({ ...KEY, data: {} });
  await table.get(KEY);
  await table.get(KEY);
  await table.getMany([KEY]);
  await table.query({ pk: 'p' });
  await table.increment({ pk: 'n', sk: 'n' }, 1);
  await table.transact([{ remove: KEY }]);
  await table.remove(KEY);
  await table.ping();
  const once = { put: 1, getMany: 1, query: 1, increment: 1, transact: 1, remove: 1, ping: 1 };
  expect(callsIn(operations)).toEqual({ ...once, get: 2 });
});

test('a failed call is timed, its error is counted by kind, and the caller gets the error itself', async () => {
  let fault: Error | undefined;
  const operations = tableOperations();
  const table = measuredTable(
    failing(new MemoryTable(), ['get'], () => fault),
    operations,
  );
  for (fault of [new StoreUnavailable('one'), new StoreUnavailable('two'), new TypeError('three')]) {
    await expect(table.get(KEY)).rejects.toBe(fault);
  }
  const [{ operation, errors } = {}] = operations.each();
  expect(operation).toBe('get');
  expect(Object.fromEntries(errors?.entries() ?? [])).toEqual({ StoreUnavailable: 2, ItemTooLarge: 0, other: 1 });
  expect(callsIn(operations)).toEqual({ get: 3 });
});

test('the time of a call ends with its result', async () => {
  const operations = tableOperations();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = Object.assign(new MemoryTable(), { ping: () => promise });
  const pinging = measuredTable(slow, operations).ping();
  expect(callsIn(operations)).toEqual({});
  setTimeout(resolve, 30);
  await pinging;
  const ping = operations.each().find(({ operation }) => operation === 'ping');
  // A timer may fire a millisecond early by the clock of performance.now().
  expect(ping?.durations.sum).toBeGreaterThan(0.028);
});
