import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anApiKey, anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';

/** A store whose account 1 may use product 4, which has license keys. */
const aShop = async (contents: Contents = {}) => {
  const store = await aStore([keys, licensing], {
    accounts: [anAccount()],
    products: [aProduct({ id: 4, license_keys: true, device_limit: 2 }), aProduct({ id: 5 })],
    entitlements: [anEntitlement({ product_id: 4 })],
    ...contents,
  });
  const make = (message?: string, product_id = 4) =>
    store.get('makeLicenseKey')(grantPermit(), {
      account_id: 1,
      product_id,
      ...(message !== undefined && { message }),
    });
  const isLive = async (value: string | null) => (await store.get('authenticate')(value ?? '')).ok;
  return { store, make, isLive };
};

describe('the creation of a license key', () => {
  test('a license key works at once for its product only, and its value is not stored', async () => {
    const { store, make } = await aShop();
    const { key, value } = done(await make('message 7'));
    expect(value).toMatch(/^lic_[0-9A-Za-z]{49}$/);
    expect(done(await store.get('authenticate')(value ?? ''))).toMatchObject({ account_id: 1, product_id: 4 });
    expect(key).toMatchObject({ kind: 'license', prefix: value?.slice(0, 14), device: null, expires_at: null });
    expect(JSON.stringify(await store.entries())).not.toContain(value);
  });

  test('a mail that is sent again contains a working key, and a key that was used stays valid', async () => {
    const { store, make, isLive } = await aShop();
    const lost = done(await make('message 7')).value;
    const sent = done(await make('message 7'));
    expect([await isLive(lost), await isLive(sent.value)]).toEqual([false, true]);
    await store.get('apiKeys').touch(sent.key, NOW);
    expect(done(await make('message 7'))).toMatchObject({ value: null, key: { id: sent.key.id } });
    expect(done(await make('message 8'))).toMatchObject({ value: null, key: { id: sent.key.id } });
  });

  test('a replacement key works beside the old key, which ends with the first use of the replacement', async () => {
    const other = anApiKey({ id: 1, product_id: 4 });
    const { store, make, isLive } = await aShop({ keys: [other] });
    const use = async (key: ApiKey, permit: Permit | null = grantPermit()) =>
      store.get('recordKeyUse')((await store.get('apiKeys').find(key.hash)) as ApiKey, permit);
    const first = done(await make('message 7'));
    const second = done(await make());
    expect([await isLive(first.value), await isLive(second.value)]).toEqual([true, true]);
    await use(first.key);
    // Hosts whose requests may not change keys leave the first use to another one.
    await use(second.key, null);
    expect([await isLive(first.value), await isLive(second.value)]).toEqual([true, true]);
    await Promise.all([use(second.key), use(second.key)]);
    expect([await isLive(first.value), await isLive(second.value)]).toEqual([false, true]);
    expect(await store.get('apiKeys').find(other.hash)).toBeDefined();
  });

  test('the old key stays valid if the replacement is revoked before its first use', async () => {
    const { store, make, isLive } = await aShop();
    const first = done(await make('message 7'));
    const second = done(await make());
    await store.get('endApiKey')(grantPermit(), second.key);
    expect([await isLive(first.value), await isLive(second.value)]).toEqual([true, false]);
  });

  test('of ten license keys made at once, the first and one unused replacement stay valid', async () => {
    const { make, isLive } = await aShop();
    const made = await Promise.all(Array.from({ length: 10 }, () => make()));
    const live = await Promise.all(made.map((one) => isLive(done(one).value)));
    expect(live.filter(Boolean)).toHaveLength(2);
  });

  test.each<[string, Contents, string | undefined, number]>([
    ['a product that hands out none', { entitlements: [anEntitlement({ product_id: 5 })] }, 'message 7', 5],
    ['a product that is unknown', {}, 'message 7', 6],
    ['access that was revoked', { entitlements: [anEntitlement({ product_id: 4, revoked_at: NOW })] }, 'message 7', 4],
    ['a buyer without access', { entitlements: [] }, undefined, 4],
  ])('no license key is made for %s', async (_, contents, message, product) => {
    const { make } = await aShop(contents);
    expect(await make(message, product)).toMatchObject({ ok: false, code: 'license_key_not_found' });
  });

  test('the mail of a subscription’s payment may be sent before the subscription exists', async () => {
    const { make } = await aShop({ entitlements: [] });
    expect(done(await make('message 7')).value).not.toBeNull();
  });

  test('a product that shows keys again stores them encrypted until they are revoked', async () => {
    const { store, make } = await aShop({ products: [aProduct({ id: 4, license_keys: { shown: true } })] });
    const shown = () => store.get('showLicenseKeys')(1, 4);
    const first = done(await make('message 7'));
    const second = done(await make());
    expect(await shown()).toEqual([second.value, first.value]);
    expect(JSON.stringify(await store.entries())).not.toContain(first.value);
    await store.get('endApiKey')(grantPermit(), first.key);
    expect(await shown()).toEqual([second.value]);
    expect((await store.entries()).filter((entry) => 'sk' in entry && entry.sk.startsWith('KEYVALUE#'))).toHaveLength(
      1,
    );
    expect(await store.get('showLicenseKeys')(2, 4)).toEqual([]);
    const hidden = await aShop();
    done(await hidden.make());
    expect(await hidden.store.get('showLicenseKeys')(1, 4)).toEqual([]);
  });

  test('a leaked license key is revoked by its value', async () => {
    const { store, make, isLive } = await aShop();
    const { value } = done(await make());
    done(await store.get('revokeLeakedKey')(grantPermit(), { key: value ?? '' }));
    expect(await isLive(value)).toBe(false);
  });
});
