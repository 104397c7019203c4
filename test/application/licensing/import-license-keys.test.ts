import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { type EarlierEnd, type EarlierLicense, earlierLicense } from '../../../domain/licensing/earlier-license.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { gallery } from '../../../runtimes/composition/areas/design/gallery.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { storeDocument } from '../../../runtimes/composition/areas/store-document.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { shopRecords } from '../../support/shop-records.ts';

const hex = (n: number): string => `80e15db5-c796-436b-850c-8f9c98a4${String(n).padStart(4, '0')}`;

const row = (line: number, more: Readonly<Record<string, string>> = {}, ends?: EarlierEnd): EarlierLicense => {
  const fields = { key: hex(line), user_email: 'ada@example.com', activation_limit: '2', ...more };
  return done(earlierLicense({ line, fields }, ends)) as EarlierLicense;
};

const aShop = async () => {
  const store = await aStore([keys, licensing, gallery, shopRecords, storeDocument], {
    products: [aProduct({ id: 4, license_keys: true }), aProduct({ id: 5 })],
  });
  return {
    store,
    imported: async (licenses: readonly EarlierLicense[], product_id = 4) =>
      done(await store.get('importLicenseKeys')(grantPermit(), { product_id, licenses })),
    held: async (email = 'ada@example.com') => {
      const account = await store.get('accounts').findByEmail(email);
      return (await store.get('licenses').held(account?.id ?? 0)).entitlements;
    },
    caller: (key: string) => store.get('authenticate')(key),
  };
};

describe('the import of license keys', () => {
  test('an import of license keys opens the account, grants the product with the devices of all rows and keeps the old keys valid', async () => {
    const { store, imported, held, caller } = await aShop();
    const told = await imported([row(2), row(3, { user_email: 'Ada@example.com' })]);
    expect(told).toEqual({ created: 2, unchanged: 0, refused: [] });
    expect(await held()).toMatchObject([{ product_id: 4, grant_type: 'grant', device_limit: 2, source_quantity: 2 }]);
    for (const line of [2, 3]) {
      expect(done(await caller(hex(line)))).toMatchObject({ product_id: 4, credential: { key: { prefix: '80e1' } } });
    }
    const stored = JSON.stringify(await store.entries());
    expect([stored.includes(hex(2)), stored.includes(hex(2).slice(0, 8))]).toEqual([false, false]);
  });

  test('the same rows again change nothing, even if a key was revoked meanwhile', async () => {
    const { store, imported, caller } = await aShop();
    await imported([row(2), row(3)]);
    done(await store.get('revokeLeakedKey')(grantPermit(), { key: hex(2) }));
    const before = await store.entries();
    expect(await imported([row(2), row(3), row(3)])).toEqual({ created: 0, unchanged: 2, refused: [] });
    expect(await store.entries()).toEqual(before);
    expect((await caller(hex(2))).ok).toBe(false);
  });

  test('another row of a buyer widens the grant', async () => {
    const { imported, held } = await aShop();
    await imported([row(2)]);
    expect(await imported([row(2), row(3)])).toMatchObject({ created: 1, unchanged: 1 });
    expect((await held()).map(({ source_quantity }) => source_quantity).sort()).toEqual([1, 2]);
  });

  test('a maintenance date ends the updates of all keys together, but no access', async () => {
    const { store, held } = await aShop();
    const licenses = [row(2, { expires_at: '2027-01-31' }, 'updates'), row(3, { expires_at: '2027-06-30' }, 'updates')];
    done(await store.get('importLicenseKeys')(grantPermit(), { product_id: 4, licenses }));
    const updates_supported_until = '2027-06-30T23:59:59.999Z';
    expect(await held()).toMatchObject([{ access_expires_at: null, updates_supported_until }]);
  });

  test('a refused row is reported by its line and does not stop the others', async () => {
    const { imported, caller } = await aShop();
    await imported([row(2)]);
    const rows = [
      row(9, { key: hex(2), user_email: 'eve@example.com' }),
      row(4, { key: 'ABCD-1234' }),
      row(5, { user_email: 'nobody' }),
      row(6, { key: '키'.repeat(20) + hex(6) }),
      row(8),
    ];
    const told = await imported(rows);
    expect(told).toMatchObject({ created: 1, unchanged: 0 });
    expect(told.refused.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '4 has a key that is too short to be safe; give its buyer a new one.',
      '5 has no valid email address of its buyer.',
      '6 has a key with characters that no key may have.',
      '9 has a key that another buyer or product has already.',
    ]);
    expect((await caller(hex(8))).ok).toBe(true);
  });

  test('a buyer gets at most ten keys of a product, and the first use of another one revokes them all', async () => {
    const { store, imported, caller } = await aShop();
    const told = await imported(Array.from({ length: 11 }, (_, n) => row(n + 2)));
    const refused = [{ line: 12, message: 'is more than the 10 keys that a buyer may have.' }];
    expect([told.created, told.refused]).toEqual([10, refused]);
    const before = await store.entries();
    expect(await imported([row(2), row(12)])).toEqual({ created: 0, unchanged: 1, refused });
    expect(await store.entries()).toEqual(before);
    const account = await store.get('accounts').findByEmail('ada@example.com');
    const input = { account_id: account?.id ?? 0, product_id: 4 };
    const { key, value } = done(await store.get('makeLicenseKey')(grantPermit(), input));
    await store.get('recordKeyUse')(key, grantPermit());
    expect([(await caller(hex(2))).ok, (await caller(hex(11))).ok, (await caller(value ?? '')).ok]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('a product without license keys accepts no import of keys', async () => {
    const { store } = await aShop();
    const refused = await store.get('importLicenseKeys')(grantPermit(), { product_id: 5, licenses: [row(2)] });
    expect(refused).toMatchObject({ ok: false, code: 'product_without_keys' });
  });
});
