import { beforeEach, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, countedIds } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { shopRecords } from '../../support/shop-records.ts';

const passwords = { hash: async () => 'hashed', verify: async () => true };

const aShop = () =>
  bootstrap(SETTINGS, memoryEngines(), [shopRecords], { clock: aClock(), ids: countedIds(), passwords });
let service: ReturnType<typeof aShop>;
beforeEach(() => {
  service = aShop();
});

const add = (email: string, more: { name?: string; password?: string } = {}) =>
  service.get('addAccount')(grantPermit(), { email, name: null, password: null, ...more });

test('a new account is stored with its email address, name and opening time', async () => {
  const added = { id: 1, email: 'ann@example.com', name: 'Ann', created_at: NOW, password_hash: null };
  expect(await add('ann@example.com', { name: 'Ann' })).toEqual({ ok: true, value: added });
  expect(await service.get('accounts').get(1)).toEqual(added);
});

test('accounts are listed in the order of creation, and an email address is added once in any case', async () => {
  const first = await add('a@example.com');
  await add('b@example.com');
  expect(await add('A@Example.com')).toMatchObject({ ok: false, code: 'email_taken' });
  const accounts = await service.get('listAccounts')();
  expect(accounts.map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com']);
  expect(first).toEqual({ ok: true, value: accounts[0] });
});

test('an account’s password is stored as a hash', async () => {
  await add('a@example.com', { password: 'long-enough' });
  expect(await service.get('accounts').findByEmail('a@example.com')).toMatchObject({ password_hash: 'hashed' });
});

test('of two simultaneous accounts with one email address, one is opened', async () => {
  const outcomes = await Promise.all([add('a@example.com'), add('a@example.com')]);
  expect(outcomes.map((one) => (one.ok ? 'added' : one.code)).toSorted()).toEqual(['added', 'email_taken']);
  expect(await service.get('listAccounts')()).toHaveLength(1);
});
