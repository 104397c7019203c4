import { describe, expect, test } from 'vitest';
import type { GrantInput } from '../../../application/licensing/access.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { aLicenseStore, NOTES } from '../../support/license-store.ts';
import { done } from '../../support/outcomes.ts';

const INPUT: GrantInput = {
  account_id: 1,
  product_id: 1,
  device_limit: null,
  access_expires_at: null,
  updates_supported_until: null,
};

/** A store whose account 1 owns nothing yet. */
const aGrantingStore = async () => {
  const { store, check } = await aLicenseStore({ accounts: [anAccount()], entitlements: [] });
  const grant = (input: Partial<GrantInput> = {}) =>
    store.get('grantEntitlement')(grantPermit(), { ...INPUT, ...input });
  return { store, check, grant };
};

describe('the grant of an entitlement', () => {
  test('a granted product is licensed from then on', async () => {
    const { check, grant } = await aGrantingStore();
    expect(await check()).toMatchObject({ value: { code: 'not_entitled' } });
    const granted = { ...INPUT, id: 1001, grant_type: 'grant', source_quantity: 1, granted_at: NOW, revoked_at: null };
    expect(await grant()).toMatchObject({ ok: true, value: granted });
    expect(await check()).toMatchObject({ value: { code: 'valid', access_source: 'direct', devices: { limit: 2 } } });
  });

  test('each further grant is added, and the widest terms count', async () => {
    const { store, check, grant } = await aGrantingStore();
    await grant({ device_limit: 5, access_expires_at: addDays(NOW, 1) });
    await grant({ device_limit: 1, access_expires_at: addDays(NOW, 9) });
    expect((await store.get('licenses').held(1)).entitlements.map(({ id }) => id)).toEqual([1001, 1002]);
    expect(await check()).toMatchObject({ value: { access_expires_at: addDays(NOW, 9), devices: { limit: 5 } } });
  });

  test.each<[string, Partial<GrantInput>, string]>([
    ['an account that does not exist', { account_id: 9 }, 'account_not_found'],
    ['a product that does not exist', { product_id: 9 }, 'product_not_found'],
    ['an edition that the product does not have', { edition: 'pro' }, 'edition_not_found'],
    ['an access that ends at this very moment', { access_expires_at: NOW }, 'expiry_has_passed'],
  ])('a grant for %s is refused and not stored', async (_, input, code) => {
    const { store, grant } = await aGrantingStore();
    const before = await store.entries();
    expect(await grant(input)).toMatchObject({ ok: false, code, message: expect.any(String) });
    expect(await store.entries()).toEqual(before);
  });

  test('a grant of an edition with features and texts is in the next check and its token', async () => {
    const editions = [{ name: 'pro', features: ['export'] }];
    const products = [{ ...NOTES, editions, ttl_days: null }];
    const { store, check } = await aLicenseStore({ accounts: [anAccount()], entitlements: [], products });
    const terms = { edition: 'pro', features: ['sync'], metadata: { note: 'a' } };
    await store.get('grantEntitlement')(grantPermit(), { ...INPUT, ...terms });
    const checked = done(await check({ perpetual: true }));
    const told = { edition: 'pro', features: ['export', 'sync'], metadata: { note: 'a' } };
    expect(checked).toMatchObject(told);
    const claims = store.get('licenseSigner').verify('license+jws', checked.token ?? '');
    expect(claims).toMatchObject({ ...told, perpetual: true, exp: 253_370_764_800 });
  });

  test('an access that ends a millisecond from now can be granted', async () => {
    const { grant } = await aGrantingStore();
    expect(await grant({ access_expires_at: toInstant(Date.parse(NOW) + 1) })).toMatchObject({ ok: true });
  });

  test('a grant with ended updates gives access to the versions until then', async () => {
    const { check, grant } = await aGrantingStore();
    const ended = addDays(NOW, -1);
    await grant({ updates_supported_until: ended });
    expect(await check()).toMatchObject({ value: { code: 'valid', updates_supported_until: ended } });
  });
});
