import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { anAccount } from '../../support/account-builders.ts';
import { BUYERS } from '../../support/buyers.ts';
import { aStore } from '../../support/memory-store.ts';

const permit = grantPermit();

const aShop = async () => {
  const store = await aStore(BUYERS, { accounts: [anAccount(), anAccount({ id: 2 })] });
  return {
    store,
    accounts: store.get('accounts'),
    rename: (input: { email?: string; name?: string | null }, account_id = 1) =>
      store.get('renameAccount')(permit, { account_id, ...input }),
  };
};

describe('an account that the operator renames', () => {
  test('a renamed account is found only by the new address, and the old one is free', async () => {
    const { accounts, rename } = await aShop();
    expect(await rename({ email: 'New@example.com' })).toMatchObject({ value: { result: 'renamed' } });
    expect(await accounts.findByEmail('new@example.com')).toMatchObject({ id: 1, name: 'Buyer' });
    expect(await accounts.findByEmail('buyer-1@example.com')).toBeUndefined();
    expect(await rename({ email: 'buyer-1@example.com' }, 2)).toMatchObject({ ok: true });
  });

  test('the audit log records the change of address without either address', async () => {
    const { store, rename } = await aShop();
    await rename({ email: 'new@example.com', name: null });
    const entries = JSON.stringify((await store.entries()).filter(({ pk }) => pk.startsWith('AUDIT#')));
    expect(entries).toContain('"account.changed"');
    expect(entries).not.toContain('@example.com');
  });

  test('an input without changes writes nothing', async () => {
    const { store, rename } = await aShop();
    const before = await store.entries();
    expect(await rename({ email: 'buyer-1@example.com', name: 'Buyer' })).toMatchObject({
      value: { result: 'unchanged' },
    });
    expect(await store.entries()).toEqual(before);
  });

  test('the address of another account is refused, in any case', async () => {
    const { store, rename } = await aShop();
    const before = await store.entries();
    expect(await rename({ email: 'BUYER-2@example.com' })).toMatchObject({
      code: 'email_taken',
      message: 'Another account has the address buyer-2@example.com.',
    });
    expect(await store.entries()).toEqual(before);
  });

  test('an unknown account is refused', async () => {
    const { rename } = await aShop();
    expect(await rename({ name: 'Ann' }, 9)).toMatchObject({ code: 'account_not_found' });
  });

  test('a name and an address that are changed at the same time are both stored', async () => {
    const { accounts, rename } = await aShop();
    await Promise.all([rename({ name: 'Ann' }), rename({ email: 'ann@example.com' })]);
    expect(await accounts.get(1)).toMatchObject({ name: 'Ann', email: 'ann@example.com' });
  });

  test('of two accounts that want one address at the same time, one gets it', async () => {
    const { rename } = await aShop();
    const both = await Promise.all([rename({ email: 'ann@example.com' }), rename({ email: 'ann@example.com' }, 2)]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });
});
