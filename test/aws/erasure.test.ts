import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from '../processes/data-dir.ts';
import { aProduct } from '../support/builders.ts';
import { put } from '../support/contents.ts';
import { naming } from '../support/erasure-shop.ts';
import { fillAccount } from '../support/full-account.ts';
import { aFolder } from '../support/store-folder.ts';
import { awsEngines } from './support/engines.ts';

let env: Record<string, string>;
beforeAll(async () => {
  env = await awsEngines();
});

describe('an account that is erased on DynamoDB and S3', () => {
  test('nothing of it is found in the table, and its own file is gone from the bucket', async () => {
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
    expect(await get('eraseAccount')(grantPermit(), { account_id: 7 })).toMatchObject({
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
});
