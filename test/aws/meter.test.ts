import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { createTable } from '../support/create-table.ts';
import { Meter } from '../tools/costs/meter.ts';

const item = (sk: string, size = 1) => ({ pk: 'some', sk, data: { text: 'x'.repeat(size) } });
const key = (sk: string) => ({ pk: 'some', sk });

describe('the meter of DynamoDB calls', () => {
  const name = `meter-${randomUUID()}`;
  const client = dynamodbClient();
  const table = new DynamodbTable(name, client);
  let meter: Meter;
  const measured = (request: () => Promise<unknown>) =>
    meter.measure(async () => {
      await request();
    });

  beforeAll(async () => {
    await createTable(client, name);
    meter = new Meter(client, dynamodbClient(), name);
    await table.put(item('there'));
    await table.put(item('large', 5000));
  });

  test('the meter counts sequential calls as round trips, and concurrent calls as one', async () => {
    const chain = async (length: number): Promise<void> => {
      for (let n = 0; n < length; n++) await table.get(key('there'));
    };
    expect(await measured(() => chain(3))).toMatchObject({ rounds: 3, calls: 3 });
    expect(await measured(() => Promise.all([chain(1), chain(1), chain(1)]))).toMatchObject({ rounds: 1, calls: 3 });
    expect(await measured(() => Promise.all([chain(1), chain(4), chain(2)]))).toMatchObject({ rounds: 4, calls: 7 });
  });

  test.each([
    ['a read of an item', () => table.get(key('there')), 1, 0],
    ['a read that need not be consistent', () => table.get(key('there'), { consistent: false }), 0.5, 0],
    ['a read of 5 KB', () => table.get(key('large')), 2, 0],
    ['a read of what is not there', () => table.get(key('nowhere')), 1, 0],
    ['a query that finds nothing', () => table.query({ pk: 'none' }), 1, 0],
    ['a batch, of which one is not there', () => table.getMany([key('there'), key('nowhere')]), 2, 0],
    ['a write', () => table.put(item('written')), 0, 1],
    ['a count', () => table.increment(key('count'), 1), 0, 1],
    ['a transaction of two writes', () => table.transact([{ put: item('a') }, { put: item('b') }]), 0, 4],
    ['a transaction that makes 5 KB small', () => table.transact([{ put: item('large') }]), 0, 10],
  ])('the meter counts the units of %s as DynamoDB does', async (_, request, readUnits, writeUnits) => {
    expect(await measured(request)).toMatchObject({ readUnits, writeUnits });
  });

  test('the meter records a scan', async () => {
    const { operations } = await measured(() => client.send(new ScanCommand({ TableName: name })));
    expect(operations).toEqual([['Scan']]);
  });

  test('the meter gives no figures when a call failed', async () => {
    const refused = () => table.put(item('there'), { absent: true });
    await expect(measured(refused)).rejects.toThrow('units are unknown');
  });
});
