import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { shopRecords } from '../../support/shop-records.ts';

const aShop = () => aStore([shopRecords]);

test('accounts are listed by id in numerical order, or newest first', async () => {
  const service = await aShop();
  for (const id of [10, 9, 100]) {
    const account = { id, email: `buyer-${id}@example.com`, name: null, created_at: NOW, password_hash: null };
    await service.get('accounts').save(grantPermit(), account);
  }
  const listed = await service.get('listAccounts')();
  expect(listed.map(({ id, email }) => `${id} ${email}`)).toEqual([
    '9 buyer-9@example.com',
    '10 buyer-10@example.com',
    '100 buyer-100@example.com',
  ]);
  const newest = async (input: object) =>
    (await service.get('listAccounts')({ newest: true, ...input })).map(({ id }) => id);
  expect(await newest({})).toEqual([100, 10, 9]);
  expect(await newest({ limit: 1, after: '100' })).toEqual([10]);
  expect(await newest({ after: '9' })).toEqual([]);
});

test('a store without accounts lists none', async () => {
  expect(await (await aShop()).get('listAccounts')()).toEqual([]);
});
