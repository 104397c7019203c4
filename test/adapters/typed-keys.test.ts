import { expect, expectTypeOf, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { accessKeys } from '../../adapters/store/keys/access.ts';
import { accountKeys } from '../../adapters/store/keys/accounts.ts';
import { catalogKeys } from '../../adapters/store/keys/catalog.ts';
import { deviceKeys, type Slots } from '../../adapters/store/keys/devices.ts';
import type { KeyOf } from '../../adapters/store/keys/families.ts';
import { allRecords, itemOf } from '../../adapters/store/records.ts';
import type { Item, Key, Page, Query, ReadOptions, Table } from '../../adapters/store/table.ts';
import type { TypedItem, TypedTable, TypedWrite } from '../../adapters/store/typed-table.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Product, Tag } from '../../domain/catalog/product.ts';
import type { Device } from '../../domain/devices/seat.ts';
import { aDevice } from '../support/builders.ts';

// The type check runs these tests: each `@ts-expect-error` fails if the line below it compiles.

const slots = deviceKeys.slots(1, 2);
const device = deviceKeys.device(1, 2, 'laptop');

test('a read returns the type of the record', async () => {
  const table: TypedTable = new MemoryTable();
  await table.transact([{ put: itemOf(slots, { used: 1 }) }, { put: itemOf(device, aDevice()) }]);

  const one = await table.get(slots);
  expectTypeOf(one).toEqualTypeOf<Item<Slots> | undefined>();
  expect(one?.data.used).toBe(1);

  const [first, second] = await table.getMany([slots, device]);
  expectTypeOf(first).toEqualTypeOf<Item<Slots> | undefined>();
  expectTypeOf(second).toEqualTypeOf<Item<Device> | undefined>();
  expect([first?.data.used, second?.data.device_id]).toEqual([1, aDevice().device_id]);

  const page = await table.query({ ...deviceKeys.devices(1, 2), limit: 10 });
  expectTypeOf(page).toEqualTypeOf<Page<Device>>();
  expectTypeOf(await allRecords(table, deviceKeys.devices(1, 2))).toEqualTypeOf<Device[]>();
  expect(page.items.map(({ data }) => data.device_id)).toEqual([aDevice().device_id]);
});

test('an engine knows only plain keys and passes as the repositories’ table', () => {
  expectTypeOf<Table['get']>().toEqualTypeOf<(key: Key, options?: ReadOptions) => Promise<Item | undefined>>();
  expectTypeOf<Table['query']>().toEqualTypeOf<(query: Query) => Promise<Page>>();
  expectTypeOf<Table>().toExtend<TypedTable>();
  // @ts-expect-error What an engine reads is nobody's record.
  const wrong: { get(key: Key): Promise<Item<Slots>> } = new MemoryTable() as Table;
  expect(wrong).toBeInstanceOf(MemoryTable);
});

test('a read by a plain key returns an object without known members', async () => {
  const table: TypedTable = new MemoryTable();
  const item = await table.get({ pk: 'p', sk: 's' });
  expectTypeOf(item).toEqualTypeOf<Item | undefined>();
  const [one] = await table.getMany([{ pk: 'p', sk: 's' }]);
  expectTypeOf(one).toEqualTypeOf<Item | undefined>();
  // @ts-expect-error Nobody knows that this data has such a member.
  expect(item?.data.used).toBeUndefined();
});

test('an item accepts only the record of its key', () => {
  expectTypeOf(itemOf(slots, { used: 1 })).toEqualTypeOf<TypedItem>();
  // @ts-expect-error A count of slots is no device.
  itemOf(device, { used: 1 });
  // @ts-expect-error The count is a number.
  itemOf(slots, { used: '1' });
  // @ts-expect-error A count of slots has no such member.
  itemOf(slots, { used: 1, limit: 2 });
  // @ts-expect-error A tag is kept under another key than a product.
  itemOf(catalogKeys.record('product', 1), {} as Tag);
  expectTypeOf(catalogKeys.record('product', 1)).toEqualTypeOf<KeyOf<Product>>();
});

test('a write accepts the key of a record only through itemOf', () => {
  const table: TypedTable = new MemoryTable();
  const put = (): unknown => [
    // @ts-expect-error The key of an API key with the data of an account pointer.
    table.put({ ...accessKeys.apiKey('hash'), data: { account_id: 1 } }),
    // @ts-expect-error The same in a transaction.
    table.transact([{ put: { ...accountKeys.account(1), data: { account_id: 1 } } }]),
  ];
  // @ts-expect-error The same in a list of writes.
  const write: TypedWrite = { put: { ...slots, data: { used: 1 } } };
  expect([typeof put, write.condition]).toEqual(['function', undefined]);
});

test('a key is in a partition of a known family', () => {
  const known: KeyOf<Slots> = { pk: 'ACCOUNT#1', sk: 'SLOTS' };
  // @ts-expect-error No family has such partitions.
  const unknown: KeyOf<Slots> = { pk: 'SHELF#1', sk: 'SLOTS' };
  // @ts-expect-error The family is one partition.
  const below: KeyOf<Slots> = { pk: 'CATALOG#1', sk: 'SLOTS' };
  expect([known, unknown, below]).toHaveLength(3);
});

test('a counter is not a record, and a record is not a counter', () => {
  const table: TypedTable = new MemoryTable();
  const calls = (): unknown => [
    // @ts-expect-error The key of a record.
    table.increment(slots, 1),
    // @ts-expect-error The key of a counter.
    table.get(accessKeys.requestCount('subject', 1)),
    // @ts-expect-error The key of a counter.
    table.put({ ...accessKeys.requestCount('subject', 1), data: {} }),
  ];
  expect(calls).toBeTypeOf('function');
});

test('the key of one record is not the key of another', () => {
  // @ts-expect-error A device is no API key.
  const key: KeyOf<ApiKey> = device;
  expect(key).toBe(device);
});
