import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { ItemTooLarge, type Write } from '../../adapters/store/table.ts';
import { newPk, pages } from '../contracts/table/helpers.ts';
import { tableContract } from '../contracts/table.ts';
import { dynamodbUrl, openFaultProxy } from './support/fault-proxy.ts';
import { newTable } from './support/tables.ts';

const shared = newTable();
tableContract('DynamodbTable', async () => new DynamodbTable(await shared), {
  another: async () => new DynamodbTable(await shared),
  outage: async () => {
    const proxy = await openFaultProxy(dynamodbUrl());
    onTestFinished(() => proxy.close());
    proxy.decide = () => 'silence';
    const table = new DynamodbTable(await shared, dynamodbClient({ endpoint: proxy.url }));
    const restore = () => {
      proxy.decide = () => 'pass';
    };
    return { table, restore };
  },
});

describe('a table of DynamoDB', () => {
  const client = DynamoDBDocumentClient.from(dynamodbClient());
  let TableName: string;
  let table: DynamodbTable;

  beforeAll(async () => {
    TableName = await newTable();
    table = new DynamodbTable(TableName);
  });
  afterAll(async () => {
    await table.close();
    client.destroy();
  });

  /** Data of the given size, so that a few items exceed a megabyte. */
  const large = (bytes: number) => ({ text: 'x'.repeat(bytes) });

  test('the table stores items with their data as JSON, counters apart, and each expiry as time to live', async () => {
    const [items, counters] = [newPk(), newPk()];
    await table.put({ pk: items, sk: 'a', data: { n: [1] }, expires_at: 4_102_444_800 });
    await table.put({ pk: items, sk: 'b', data: {} });
    await table.increment({ pk: counters, sk: 'a' }, 2, { expires_at: 4_102_444_801 });
    const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
    const version = expect.any(String);
    expect(Items).toHaveLength(3);
    expect(Items).toEqual(
      expect.arrayContaining([
        { pk: items, sk: 'a', version, data: '{"n":[1]}', ttl: 4_102_444_800 },
        { pk: items, sk: 'b', version, data: '{}' },
        { pk: `COUNTER#${counters}`, sk: 'a', count: 2, ttl: 4_102_444_801 },
      ]),
    );
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription).toEqual({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
  });

  test('an item and a counter never collide, whatever the name of their partition', async () => {
    const name = newPk();
    const partitions = [name, `COUNTER#${name}`, `ITEM#${name}`, `ITEM#COUNTER#${name}`, `COUNTER#COUNTER#${name}`];
    for (const pk of partitions) await table.put({ pk, sk: 'a', data: { pk } });
    for (const pk of partitions) expect(await table.increment({ pk, sk: 'a' }, 1)).toBe(1);
    const keys = partitions.map((pk) => ({ pk, sk: 'a' }));
    expect((await table.getMany(keys)).map((item) => [item?.pk, item?.data])).toEqual(
      partitions.map((pk) => [pk, { pk }]),
    );
    for (const pk of partitions) {
      expect((await table.query({ pk })).items).toEqual([await table.get({ pk, sk: 'a' })]);
    }
  });

  test('a query of a partition over one megabyte returns all items in pages, with and without a limit', async () => {
    const pk = newPk();
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const sk of keys) await table.put({ pk, sk, data: large(300_000) });
    for (const limit of [undefined, 1000]) {
      for (const descending of [false, true]) {
        const found = await pages(table, { pk, descending, limit });
        expect(found.length).toBeGreaterThan(1);
        expect(found.flat()).toEqual(descending ? keys.toReversed() : keys);
      }
    }
  });

  test('getMany returns items of over 16 MB, the most of one DynamoDB response', async () => {
    const pk = newPk();
    const keys = Array.from({ length: 48 }, (_, i) => ({ pk, sk: String(i) }));
    for (let i = 0; i < keys.length; i += 8) {
      await table.transact(keys.slice(i, i + 8).map((key) => ({ put: { ...key, data: large(390_000) } })));
    }
    const items = await table.getMany([...keys, { pk, sk: 'missing' }]);
    expect(items.map((item) => item?.sk)).toEqual([...keys.map(({ sk }) => sk), undefined]);
  });

  test('a transaction over 4 MB is refused and writes nothing, and a smaller one commits', async () => {
    const pk = newPk();
    const writes = (count: number): Write[] =>
      Array.from({ length: count }, (_, i) => ({ put: { pk, sk: String(i), data: large(399_000) } }));
    await expect(table.transact(writes(11))).rejects.toBeInstanceOf(ItemTooLarge);
    expect((await table.query({ pk })).items).toEqual([]);
    expect(await table.transact(writes(10))).toBe(true);
  });

  test('a query returns the page of the memory engine for any sort keys and query', async () => {
    const memory = new MemoryTable();
    const char = fc.constantFrom('a', 'b', '\u0000', '\u007f', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10ffff}');
    const sortKey = fc.string({ unit: char, minLength: 1, maxLength: 4 });
    const some = fc.option(sortKey, { nil: undefined });
    const limit = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined });
    const query = fc.record({ prefix: some, from: some, to: some, after: some, descending: fc.boolean(), limit });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(sortKey, { minLength: 1, maxLength: 30 }),
        fc.array(query, { minLength: 5, maxLength: 20 }),
        async (sortKeys, queries) => {
          const pk = newPk();
          const writes = sortKeys.map((sk) => ({ put: { pk, sk, data: {} } }));
          await Promise.all([table.transact(writes), memory.transact(writes)]);
          for (const wanted of queries) {
            const [page, expected] = await Promise.all([
              table.query({ pk, ...wanted }),
              memory.query({ pk, ...wanted }),
            ]);
            expect(page.items.map(({ sk }) => sk)).toEqual(expected.items.map(({ sk }) => sk));
            // DynamoDB may name a next page after a full page even if that page is empty.
            if (expected.next !== undefined) expect(page.next).toBe(expected.next);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
