import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from '../processes/data-dir.ts';
import { aProduct } from '../support/builders.ts';
import { put } from '../support/contents.ts';
import { naming } from '../support/erasure-shop.ts';
import { fillAccount } from '../support/full-account.ts';
import { done } from '../support/outcomes.ts';
import { aFolder } from '../support/store-folder.ts';
import { awsEngines } from './support/engines.ts';

const permit = grantPermit();
let env: Record<string, string>;
beforeAll(async () => {
  env = await awsEngines();
});

describe('a merged account on DynamoDB', () => {
  test('a merge moves everything once, despite a second simultaneous one, and erasing the other account leaves nothing', async () => {
    const { service, close } = await openService(await aFolder(), env);
    const { get } = service;
    await put(service, { products: [aProduct()] });
    const { traces } = await fillAccount(service, 7, 'zaphod');
    await fillAccount(service, 8, 'trillian');
    const merge = () => get('mergeAccounts')(permit, { from: 7, into: 8 });
    for (const merged of await Promise.all([merge(), merge()])) done(merged);
    expect((await get('storedOrders').ofAccount(8)).map(({ id }) => id)).toEqual([700, 800]);
    expect((await get('devices').used(8)).get(1)?.used).toBe(2);
    expect(await get('apiKeys').find(traces[1] ?? '')).toMatchObject({ account_id: 8 });
    expect(await get('accounts').findByEmail('zaphod@example.com')).toMatchObject({ id: 8 });
    done(await get('eraseAccount')(permit, { account_id: 8 }));
    const { entries } = await get('tableScan').dump(0);
    for (const trace of traces) expect(naming(entries, trace)).toEqual([]);
    await close();
  });
});
