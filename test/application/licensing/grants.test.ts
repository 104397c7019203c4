import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { GrantExtension } from '../../../domain/licensing/grant-change.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';
import { BUYERS } from '../../support/buyers.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';

const permit = grantPermit();
const ANY = { since: null, until: null, account_id: null, product_id: null, by: null, subject: null } as const;

const aShop = async () => {
  const store = await aStore([...BUYERS, licensing], {
    accounts: [anAccount()],
    products: [aProduct({ id: 1, device_limit: 2 })],
    entitlements: [anEntitlement({ id: 5, access_expires_at: addDays(NOW, 7) })],
    subscriptions: [aSubscription({ id: 6, ends_at: NOW })],
  });
  return {
    store,
    revoke: (input: Partial<{ account_id: number; id: number; trial: boolean }> = {}) =>
      store.get('revokeGrant')(permit, { account_id: 1, id: 5, ...input }),
    extend: (extension: GrantExtension, input: Partial<{ account_id: number; id: number }> = {}) =>
      store.get('extendGrant')(permit, { account_id: 1, id: 5, ...input, extension }),
    actions: async () =>
      (await Array.fromAsync(store.get('auditLog').list({ ...ANY, action: 'entitlement' }))).map(
        ({ action }) => action,
      ),
    access: async () => {
      const catalog = await store.get('catalogs').current();
      return store.get('readAccess')(1, aProduct({ id: 1, device_limit: 2 }), catalog);
    },
  };
};

describe('the grants of an account, for the operator', () => {
  test('entitlements and subscriptions are listed together', async () => {
    const { store } = await aShop();
    expect(await store.get('listGrants')({ account_id: 1 })).toMatchObject({
      value: [
        { kind: 'subscription', id: 6, status: 'expired' },
        { kind: 'entitlement', id: 5, status: 'active' },
      ],
    });
  });

  test('an account that does not exist is refused', async () => {
    const { store } = await aShop();
    expect(await store.get('listGrants')({ account_id: 9 })).toMatchObject({ code: 'account_not_found' });
  });
});

describe('a grant that the operator revokes', () => {
  test('a revoked grant ends at once, and the audit log records it', async () => {
    const { revoke, access, actions } = await aShop();
    expect(await revoke()).toMatchObject({ value: { result: 'revoked', usable: [], unusable: [{ id: 1 }] } });
    expect(await access()).toMatchObject({ granted: false });
    expect(await actions()).toEqual(['entitlement.revoked', 'entitlement.created']);
  });

  test('a trial run reports what the account would lose and writes nothing', async () => {
    const { store, revoke } = await aShop();
    const before = await store.entries();
    expect(await revoke({ trial: true })).toMatchObject({ value: { result: 'revoked' } });
    expect(await store.entries()).toEqual(before);
  });

  test('a repeated revocation keeps the time of the first one', async () => {
    const { store, revoke } = await aShop();
    done(await revoke());
    store.clock.at = addDays(NOW, 1);
    expect(await revoke()).toMatchObject({ value: { result: 'unchanged', entitlement: { revoked_at: NOW } } });
  });

  test.each([
    [{ account_id: 9 }, 'account_not_found', 'There is no account 9'],
    [{ id: 7 }, 'grant_not_found', '"grant list --account 1" shows those'],
    [{ id: 6 }, 'grant_not_found', '6 is a subscription of account 1'],
  ])('revoking %j is refused', async (input, code, message) => {
    const { revoke } = await aShop();
    expect(await revoke(input)).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe('a grant that the operator extends', () => {
  test('an extended grant lasts longer, and the audit log records both ends', async () => {
    const { store, extend, access } = await aShop();
    const input = { access_expires_at: addDays(NOW, 30) };
    expect(await extend(input)).toMatchObject({ value: { result: 'extended', entitlement: input } });
    expect(await access()).toMatchObject({ granted: true, ...input });
    const [entry] = await Array.fromAsync(store.get('auditLog').list({ ...ANY, action: 'entitlement.extended' }));
    expect(entry?.changes).toEqual([{ field: 'access_expires_at', from: addDays(NOW, 7), to: addDays(NOW, 30) }]);
  });

  test('an extension to the existing terms writes nothing', async () => {
    const { store, extend } = await aShop();
    const before = await store.entries();
    expect(await extend({ access_expires_at: addDays(NOW, 7) })).toMatchObject({ value: { result: 'unchanged' } });
    expect(await store.entries()).toEqual(before);
  });

  test.each<[GrantExtension, { account_id?: number; id?: number }, string]>([
    [{ device_limit: 1 }, {}, 'would_shorten'],
    [{ device_limit: 3 }, { id: 7 }, 'grant_not_found'],
    [{ device_limit: 3 }, { account_id: 9 }, 'account_not_found'],
  ])('the extension to %j of %j is refused and changes nothing', async (extension, input, code) => {
    const { store, extend } = await aShop();
    const before = await store.entries();
    expect(await extend(extension, input)).toMatchObject({ ok: false, code });
    expect(await store.entries()).toEqual(before);
  });

  test('simultaneous extensions and a revocation are all stored', async () => {
    const { store, extend, revoke } = await aShop();
    const at = (n: number) => extend({ access_expires_at: addDays(NOW, 10 + n) });
    await Promise.all([at(1), extend({ device_limit: 7 }), revoke(), at(2), extend({ updates_supported_until: null })]);
    const [entitlement] = (await store.get('licenses').held(1)).entitlements;
    expect(entitlement?.revoked_at).toBe(NOW);
    expect(await extend({ device_limit: 9 })).toMatchObject({ code: 'grant_is_revoked' });
  });
});
