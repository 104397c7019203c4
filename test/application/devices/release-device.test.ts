import { describe, expect, test } from 'vitest';
import { DEVICE_KEY_ABILITIES, LICENSE_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { CHANGES_BY_KEYS } from '../../../domain/audit/bounds.ts';
import { anEntitlement, aProduct } from '../../support/builders.ts';
import { aLicenseStore, NOTES } from '../../support/license-store.ts';
import { passed } from '../../support/permits.ts';

const HIDDEN = aProduct({ id: 2, published: false });
const permit = Promise.resolve(grantPermit());

const aReleaseStore = async () => {
  const licensed = await aLicenseStore({
    products: [NOTES, HIDDEN],
    entitlements: [anEntitlement(), anEntitlement({ id: 2, account_id: 2 })],
  });
  const { store, check } = licensed;
  await check({ device_id: 'laptop' });
  await check({ device_id: 'press' }, { offline: true });
  await check({ device_id: 'foreign' }, { account_id: 2 });
  const release = (device_id: string, { product_id = 1, boundTo = null as number | null } = {}) => {
    const asked = {
      account_id: 1,
      scope: { product_id: boundTo },
      body: { product_id, device_id },
      locale: 'en' as const,
    };
    return passed(store.get('releaseLicenseDevice')(asked), permit);
  };
  return { ...licensed, release };
};

describe('the release of any device with the ability to manage devices', () => {
  test('no key of a device or application can release other devices', () => {
    for (const abilities of [DEVICE_KEY_ABILITIES, LICENSE_KEY_ABILITIES])
      expect(abilities).not.toContain('devices.manage');
  });

  test('a released device frees its slot, and a repeated call changes nothing', async () => {
    const { release, check, seated } = await aReleaseStore();
    expect(await release('laptop')).toMatchObject({ value: { released: true, offline_until: null } });
    expect(await release('laptop')).toMatchObject({ value: { released: false, offline_until: null } });
    expect(await seated()).toEqual(['press']);
    expect(await check({ device_id: 'phone' })).toMatchObject({ value: { valid: true } });
  });

  test('a device with an offline file is released, and the response says until when its slot stays taken', async () => {
    const { release, check } = await aReleaseStore();
    const held = { released: true, offline_until: '2027-11-21T08:00:00.000Z' };
    const message =
      'The device is released. It has an offline file until 2027-11-21, so its slot stays taken until then.';
    expect(await release('press')).toMatchObject({ value: { ...held, message } });
    expect(await release('press')).toMatchObject({ value: held });
    expect(await check({ device_id: 'phone' })).toMatchObject({ code: 'device_limit_reached' });
  });

  test('another account’s device looks nonexistent, and a hidden product unknown', async () => {
    const { store, release } = await aReleaseStore();
    const [foreign, missing] = [await release('foreign'), await release('missing')];
    const asMissing = JSON.parse(JSON.stringify(foreign).replace('foreign', 'missing'));
    expect(missing).toEqual(asMissing);
    expect(await store.get('devices').list(2, 1)).toHaveLength(1);
    expect(await release('laptop', { product_id: 2 })).toEqual(await release('laptop', { product_id: 99 }));
    expect(await release('laptop', { boundTo: 2 })).toMatchObject({ code: 'product_api_key_scope_required' });
  });

  test('releases with a key count against the account’s daily limit', async () => {
    const { store, release, seated } = await aReleaseStore();
    const { now } = store.get('clock');
    await store.get('dailyBounds').count(grantPermit(), CHANGES_BY_KEYS, '1', CHANGES_BY_KEYS.most - 1, now());
    expect(await release('laptop')).toMatchObject({ value: { released: true } });
    expect(await release('press')).toMatchObject({ code: 'rate_limited' });
    expect(await seated()).toEqual(['press']);
  });
});
