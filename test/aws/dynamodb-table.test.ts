import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { ItemTooLarge, type Write } from '../../adapters/store/table.ts';
import { newPk, pages } from '../contracts/table/helpers.ts';
import { tableContract } from '../contracts/table.ts';
import { newTable } from './support/tables.ts';

tableContract('DynamodbTable', async () => new DynamodbTable(await newTable()));

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

  /** So much data that a few items fill a megabyte. */
  const large = (bytes: number) => ({ text: 'x'.repeat(bytes) });

  test('has items with their data as JSON, and counters apart, each with its expiry as time to live', async () => {
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

  test('takes no item for a counter, whatever its partition is called', async () => {
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

  test('gives a partition of more than a megabyte page by page, with and without a limit', async () => {
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

  test('gives many items of more than 16 MB, which one answer of DynamoDB cannot hold', async () => {
    const pk = newPk();
    const keys = Array.from({ length: 48 }, (_, i) => ({ pk, sk: String(i) }));
    for (let i = 0; i < keys.length; i += 8) {
      await table.transact(keys.slice(i, i + 8).map((key) => ({ put: { ...key, data: large(390_000) } })));
    }
    const items = await table.getMany([...keys, { pk, sk: 'missing' }]);
    expect(items.map((item) => item?.sk)).toEqual([...keys.map(({ sk }) => sk), undefined]);
  });

  test('refuses a transaction of more than 4 MB before it is sent, and takes one of less', async () => {
    const pk = newPk();
    const writes = (count: number): Write[] =>
      Array.from({ length: count }, (_, i) => ({ put: { pk, sk: String(i), data: large(399_000) } }));
    await expect(table.transact(writes(11))).rejects.toBeInstanceOf(ItemTooLarge);
    expect((await table.query({ pk })).items).toEqual([]);
    expect(await table.transact(writes(10))).toBe(true);
  });

  test('gives the page that the memory engine gives, whatever the sort keys and the query', async () => {
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
            // A page that is full may have none after it: DynamoDB doesn't look.
            if (expected.next !== undefined) expect(page.next).toBe(expected.next);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
