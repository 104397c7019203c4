import { beforeAll, describe, expect, test } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbDump, PATIENT } from '../../adapters/dynamodb/dynamodb-dump.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { WALK_RESTS_SECONDS } from '../../domain/accounts/erasure.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import { openService } from '../processes/data-dir.ts';
import { aProduct } from '../support/builders.ts';
import { put } from '../support/contents.ts';
import { naming } from '../support/erasure-shop.ts';
import { aClock } from '../support/fakes.ts';
import { fillAccount } from '../support/full-account.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';
import { aFolder } from '../support/store-folder.ts';
import { fillTable } from '../tools/costs/fill-table.ts';
import { Meter } from '../tools/costs/meter.ts';
import { awsEngines } from './support/engines.ts';
import { newTable } from './support/tables.ts';

const permit = grantPermit();

let env: Record<string, string>;
beforeAll(async () => {
  env = await awsEngines();
});

describe('an erased account on DynamoDB and S3', () => {
  test('an erased account is not found in the table, and its own file is gone from the bucket', async () => {
    const { service, close } = await openService(await aFolder(), env);
    const { get } = service;
    await put(service, { products: [aProduct()] });
    const { traces } = await fillAccount(service, 7, 'zaphod');
    await fillAccount(service, 8, 'trillian');
    const files = async (id: number) => {
      const tickets = await Array.fromAsync(get('tickets').list());
      const of = tickets.filter((ticket) => ticket.account_id === id).map((ticket) => get('tickets').files(ticket.id));
      return [...new Set((await Promise.all(of)).flat().map((file) => file.object_key))];
    };
    const [own, others] = [await files(7), await files(8)];
    const { dump } = get('tableScan');
    expect(naming((await dump(0)).entries, 'zaphod')).not.toEqual([]);
    expect(await get('eraseAccount')(permit, { account_id: 7 })).toMatchObject({
      value: { result: 'erased', goes: { keys: 2, tickets: 2, files: 4 } },
    });
    const { entries, next } = await dump(0);
    expect(next).toBeUndefined();
    for (const trace of traces) expect(naming(entries, trace)).toEqual([]);
    const there = async (keys: readonly string[]) =>
      (await Promise.all(keys.map((key) => get('objects').stat(key)))).filter(Boolean).length;
    expect([await there(own), await there(others)]).toEqual([1, 2]);
    await close();
  });

  test('an erasure of 50,000 rows that is killed three times reads each page once, except two at each kill', async () => {
    const [ROWS, PAGE] = [50_000, 1000];
    const name = await newTable();
    const client = dynamodbClient();
    const meter = new Meter(client, dynamodbClient(), name);
    const clock = aClock(toInstant(Date.now()));
    const open = (left = Number.POSITIVE_INFINITY) => {
      const table = new DynamodbTable(name, client, PATIENT);
      const put = table.put.bind(table);
      let pages = 0;
      // The process is killed after it has removed a page's records, before it stores the end of the page.
      table.put = async (item, condition) => {
        if ('entries' in item.data && pages++ === left) throw new Error('killed');
        return put(item, condition);
      };
      return memoryService({ clock }, { ...memoryEngines(), table, tableScan: new DynamodbDump(name, client) });
    };
    const { get } = open();
    await put(open(), { products: [aProduct()] });
    const { traces } = await fillAccount(open(), 7, 'zaphod');
    await fillTable(name, ROWS, [8]);
    const account = await get('accounts').get(7);
    if (account) expect(await get('accountErasures').begin(permit, account, clock.at)).toBe(true);
    const sums = { scans: 0, readUnits: 0, writeUnits: 0 };
    const erased: number[] = [];
    for (const pages of [10, 15, 20, undefined]) {
      const walk = () =>
        open(pages)
          .get('completeErasure')(permit)
          .then(
            (ids) => erased.push(...ids),
            () => undefined,
          );
      const { operations, ...units } = await meter.measure(walk);
      sums.scans += operations.flat().filter((one) => one === 'Scan').length;
      sums.readUnits += units.readUnits;
      sums.writeUnits += units.writeUnits;
      clock.at = toInstant(millis(clock.at) + (WALK_RESTS_SECONDS + 1) * 1000);
    }
    expect(erased).toEqual([7]);
    expect(sums.scans).toBe(ROWS / PAGE + 1 + 3);
    // A million such rows cost less than a cent: a million read units cost $0.125, and a million write units $0.625.
    expect(((sums.readUnits * 0.125 + sums.writeUnits * 0.625) / 1_000_000) * (1_000_000 / ROWS)).toBeLessThan(0.01);
    const scan = get('tableScan');
    const left: string[] = [];
    for (let page = await scan.dump(0); ; page = await scan.dump(0, page.next)) {
      for (const trace of traces) left.push(...naming(page.entries, trace));
      if (page.next === undefined) break;
    }
    expect(left).toEqual([]);
    client.destroy();
  }, 300_000);
});
