import { describe, expect, test } from 'vitest';
import type { GrantedAccess } from '../../../domain/licensing/access.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anEntitlement, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aLicenseStore, NOTES } from '../../support/license-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';

const ACCESS: GrantedAccess = {
  granted: true,
  access_source: 'direct',
  access_expires_at: addDays(NOW, 30),
  updates_supported_until: NOW,
  device_limit: 2,
  edition: null,
  features: [],
  metadata: {},
};

const product = { ...NOTES, name: { en: 'Notes', ko: '노트' } };

const aShownLicense = async (contents: Contents = {}) => {
  const { store, check } = await aLicenseStore(contents);
  const show = async (locale: 'en' | 'ko' = 'en', account_id = 1) =>
    done(await passed(store.get('showLicense')({ account_id, product, locale }), PERMIT, ACCESS));
  return { store, check, show };
};

describe('the license of an account', () => {
  test('a license is shown with its terms and its devices, first activated first', async () => {
    const { store, check, show } = await aShownLicense();
    await check({ device_id: 'phone' });
    store.clock.at = addDays(NOW, 1);
    await check({ device_id: 'laptop' });
    const NO_FILE = { offline_until: null, released_at: null, shared_at: null };
    expect(await show()).toEqual({
      product: { id: 1, name: 'Notes', bundle_id: 'com.example.notes' },
      access_source: 'direct',
      edition: null,
      features: [],
      metadata: {},
      access_expires_at: addDays(NOW, 30),
      updates_supported_until: NOW,
      devices: { used: 2, limit: 2 },
      device_list: [
        { device_id: 'phone', name: null, activated_at: NOW, last_seen_at: NOW, ...NO_FILE },
        { device_id: 'laptop', name: null, activated_at: addDays(NOW, 1), last_seen_at: addDays(NOW, 1), ...NO_FILE },
      ],
      manage_url: 'https://account.example.com/devices?product=1',
    });
  });

  test('a license with more than 100 devices shows their number and lists 100', async () => {
    const { check, show } = await aShownLicense({ entitlements: [anEntitlement({ device_limit: 200 })] });
    for (let n = 0; n < 103; n++) await check({ device_id: `device-${n}` });
    const { devices, device_list } = await show();
    expect([devices.used, device_list.length]).toEqual([103, 100]);
  });

  test('a device that the policy revokes is not listed', async () => {
    const { store, check, show } = await aShownLicense();
    for (const device_id of ['stolen', 'laptop']) await check({ device_id });
    await store.put({ policy: { revoked: [{ product_id: NOTES.id, device_id: 'stolen' }] } });
    expect(await show()).toMatchObject({ devices: { used: 1, limit: 2 }, device_list: [{ device_id: 'laptop' }] });
  });

  test('an unused license lists no devices, even if another account has some', async () => {
    const { check, show } = await aShownLicense();
    expect(await show()).toMatchObject({ devices: { used: 0, limit: 2 }, device_list: [] });
    await check();
    expect(await show('en', 2)).toMatchObject({ devices: { used: 0 }, device_list: [] });
  });

  test('the product of a license is named in the requested language', async () => {
    const { show } = await aShownLicense();
    expect((await show('ko')).product.name).toBe('노트');
  });
});
