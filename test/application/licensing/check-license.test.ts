import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { NO_SLOTS, sharedAt } from '../../../domain/devices/seat.ts';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aDevice, anEntitlement, aRelease, NOW } from '../../support/builders.ts';
import { aLicenseStore, NOTES } from '../../support/license-store.ts';
import { PERMIT, withoutPermit } from '../../support/permits.ts';

const SOON = addDays(NOW, 10);
const valid = { ok: true, value: { valid: true, code: 'valid' } };
const refusedAs = (code: string) => ({ ok: true, value: { valid: false, code, device: null, token: null } });
const full = { ok: false, code: 'device_limit_reached' };

test('a license check gives a new device its slot and signs the decision', async () => {
  const { store, check, seated } = await aLicenseStore();
  const checked = await check({}, { device: { device_id: 'laptop', name: 'My laptop' } });
  expect(checked).toEqual({
    ok: true,
    value: {
      valid: true,
      code: 'valid',
      message: 'This license is valid.',
      access_source: 'direct',
      access_expires_at: null,
      updates_supported_until: null,
      product: { id: 1, name: 'Product 1', bundle_id: 'com.example.notes' },
      version_covered: null,
      device: {
        device_id: 'laptop',
        name: 'My laptop',
        activated_at: NOW,
        last_seen_at: NOW,
        offline_until: null,
        released_at: null,
        shared_at: null,
      },
      uncovered_versions: 'allowed',
      edition: null,
      features: [],
      metadata: {},
      devices_used: 1,
      device_limit: 2,
      manage_url: 'https://account.example.com/devices?product=1',
      devices: { used: 1, limit: 2 },
      continuation: null,
      checked_at: NOW,
      recheck_after: addDays(NOW, 1),
      token: expect.any(String),
    },
  });
  const token = checked.ok ? checked.value.token : null;
  expect(store.get('licenseSigner').verify('license+jws', token ?? '')).toMatchObject({ device_id: 'laptop' });
  expect(await seated()).toEqual(['laptop']);
});

describe('the decision of a license check', () => {
  test.each<[string, Partial<Entitlement>, string]>([
    ['an account that owns another product alone', { product_id: 2 }, 'not_entitled'],
    ['an account whose access begins later', { granted_at: SOON }, 'not_entitled'],
    ['an account whose access ended at this moment', { access_expires_at: NOW }, 'access_expired'],
    ['an account whose right was withdrawn', { revoked_at: NOW }, 'entitlement_revoked'],
  ])('%s gets no license, no slot and no token', async (_, entitlement, code) => {
    const { check, seated } = await aLicenseStore({ entitlements: [anEntitlement(entitlement)] });
    expect(await check()).toMatchObject(refusedAs(code));
    expect(await seated()).toEqual([]);
  });

  test('a device that the policy revokes gets no license and no slot, and another device does', async () => {
    const { check, seated } = await aLicenseStore({ policy: { revoked: [{ product_id: 1, device_id: 'stolen' }] } });
    expect(await check({ device_id: 'stolen' })).toMatchObject(refusedAs('device_revoked'));
    expect(await check({ device_id: 'laptop' })).toMatchObject(valid);
    expect(await seated()).toEqual(['laptop']);
  });

  test('a device that the policy revokes frees its slot for the next device', async () => {
    const { store, check, seated } = await aLicenseStore();
    for (const device_id of ['stolen', 'laptop']) await check({ device_id });
    expect(await check({ device_id: 'phone' })).toMatchObject(full);
    await store.put({ policy: { revoked: [{ product_id: 1, device_id: 'stolen' }] } });
    expect(await check({ device_id: 'phone' })).toMatchObject({ value: { valid: true, devices: { used: 2 } } });
    expect(await seated()).toEqual(['laptop', 'phone']);
    expect(await check({ device_id: 'tablet' })).toMatchObject(full);
  });

  test('a device that the policy revokes loses its slot when it checks', async () => {
    const { store, check, seated } = await aLicenseStore();
    for (const device_id of ['stolen', 'laptop']) await check({ device_id });
    await store.put({ policy: { revoked: [{ product_id: 1, device_id: 'stolen' }] } });
    const refused = { valid: false, code: 'device_revoked', device: null, devices: { used: 1 }, token: null };
    for (let n = 0; n < 2; n++) expect(await check({ device_id: 'stolen' })).toMatchObject({ value: refused });
    expect(await seated()).toEqual(['laptop']);
  });

  test('of five simultaneous new devices, exactly one gets the slot of a revoked device', async () => {
    const { store, check, seated } = await aLicenseStore();
    for (const device_id of ['stolen', 'laptop']) await check({ device_id });
    await store.put({ policy: { revoked: [{ product_id: 1, device_id: 'stolen' }] } });
    const checks = await Promise.all(['a', 'b', 'stolen', 'c', 'd', 'e'].map((device_id) => check({ device_id })));
    expect(checks.filter((one) => one.ok && one.value.valid)).toHaveLength(1);
    expect(await seated()).toHaveLength(2);
    expect(await check({ device_id: null })).toMatchObject({ value: { devices: { used: 2 } } });
  });

  test('a device that its owner revoked gets no license', async () => {
    const { store, check } = await aLicenseStore();
    const revoked = aDevice({ device_id: 'laptop', revoked_at: NOW });
    await store.get('devices').activate(grantPermit(), 1, 1, revoked, { ...NO_SLOTS, version: null });
    expect(await check()).toMatchObject(refusedAs('device_revoked'));
  });
});

describe('the device slots of a license', () => {
  test('a device that holds a slot passes after the limit was lowered, and a new one does not', async () => {
    const { store, check } = await aLicenseStore();
    for (const device_id of ['laptop', 'phone']) await check({ device_id });
    await store.put({ products: [{ ...NOTES, device_limit: 1 }] });
    expect(await check({ device_id: 'phone' })).toMatchObject({ value: { devices: { used: 2, limit: 1 } } });
    expect(await check({ device_id: 'tablet' })).toMatchObject(full);
  });

  test('a check without a device takes no slot and is answered even when all are taken', async () => {
    const { check, seated } = await aLicenseStore({ products: [{ ...NOTES, device_limit: 0 }] });
    expect(await check({ device_id: null })).toMatchObject({ value: { valid: true, device: null, token: null } });
    expect(await seated()).toEqual([]);
  });

  test('a check without a device is about the device that the key was signed in on', async () => {
    const { check, seated } = await aLicenseStore();
    const device = { device_id: 'phone', name: 'My phone' };
    expect(await check({ device_id: null }, { device })).toMatchObject({ value: { device } });
    expect(await check({ device_id: 'laptop' }, { device })).toMatchObject({ value: { device: { name: null } } });
    expect(await seated()).toEqual(['laptop', 'phone']);
  });

  test('a check whose permit never resolves takes no slot', async () => {
    const { store, check, seated } = await aLicenseStore();
    const before = await store.entries();
    await withoutPermit((permit) => check({}, { permit }));
    expect(await store.entries()).toEqual(before);
    await check({}, { permit: PERMIT });
    expect(await seated()).toEqual(['laptop']);
  });
});

describe('the update window of a license', () => {
  test.each<[string, string | null, boolean | null]>([
    ['a version from within the update window is covered', '1.0.0', true],
    ['a version that was released after the update window is not covered, and the license is valid', '2.0.0', false],
    ['an unknown version above the covered ones is not covered', '1.5.0', false],
    ['an unknown version below a covered one is covered', '0.9.0', true],
    ['a client that names no version is not told whether it is covered', null, null],
  ])('%s', async (_, app_version, covered) => {
    const releases = [aRelease(), aRelease({ id: 2, version: '2.0.0', released_at: NOW })];
    const entitlements = [anEntitlement({ updates_supported_until: addDays(NOW, -1) })];
    const { check } = await aLicenseStore({ releases, entitlements });
    expect(await check({ app_version })).toMatchObject({ value: { valid: true, version_covered: covered } });
  });

  const PRODUCT = { ...NOTES, uncovered_versions: 'refused' as const };
  const releases = [
    aRelease({ released_at: addDays(NOW, -9) }),
    aRelease({ id: 2, version: '2.0.0', released_at: addDays(NOW, -2) }),
    aRelease({ id: 3, version: '3.0.0', released_at: addDays(NOW, 9) }),
  ];
  const entitlement = anEntitlement({ updates_supported_until: addDays(NOW, -5) });
  const claimOf = (store: Awaited<ReturnType<typeof aLicenseStore>>['store'], checked: object) => {
    const { token } = (checked as { value: { token: string } }).value;
    return store.get('licenseSigner').verify('license+jws', token)?.uncovered_versions;
  };

  test.each<[string, string | null, boolean | null, 'refused' | 'allowed']>([
    ['a covered version', '1.0.0', true, 'allowed'],
    ['a version that came out after the window', '2.0.0', false, 'refused'],
    ['a version that was never published', '2.0.1', false, 'allowed'],
    ['a version whose release is to come', '3.0.0', false, 'allowed'],
    ['an unreadable version', 'nightly', null, 'allowed'],
    ['a client without a version', null, null, 'allowed'],
  ])('in a product that refuses uncovered versions, %s is named in the response and the token', async (_, app_version, version_covered, uncovered_versions) => {
    const { store, check } = await aLicenseStore({ products: [PRODUCT], releases, entitlements: [entitlement] });
    const checked = await check({ app_version });
    expect(checked).toMatchObject({ value: { valid: true, version_covered, uncovered_versions } });
    expect(claimOf(store, checked)).toBe(uncovered_versions === 'refused' ? 'refused' : undefined);
  });

  test('an uncovered version keeps running if the product allows it, or once the access is renewed', async () => {
    const { store, check } = await aLicenseStore({ releases, entitlements: [entitlement] });
    const allowed = { value: { valid: true, uncovered_versions: 'allowed' } };
    expect(await check({ app_version: '2.0.0' })).toMatchObject(allowed);
    await store.put({ products: [PRODUCT] });
    expect(await check({ app_version: '2.0.0' })).toMatchObject({ value: { uncovered_versions: 'refused' } });
    await store.put({ entitlements: [{ ...entitlement, updates_supported_until: addDays(NOW, 360) }] });
    const renewed = await check({ app_version: '2.0.0' });
    expect(renewed).toMatchObject({ value: { ...allowed.value, version_covered: true } });
    expect(claimOf(store, renewed)).toBeUndefined();
  });
});

describe('a folder that was copied to a second machine', () => {
  const NONCE = 'n'.repeat(22);

  /** Two folders check in turn, once a day each, until a check is refused or the days are over. Returns all codes. */
  const twoMachines = async ({ store, check }: Awaited<ReturnType<typeof aLicenseStore>>, days: number) => {
    const codes: string[] = [];
    const first = await check({ nonce: NONCE });
    const folders = Array(2).fill(first.ok ? first.value.continuation : null);
    for (let day = 1; day <= days; day++) {
      store.clock.at = addDays(store.clock.at, 1);
      for (const machine of [0, 1]) {
        const checked = await check({ nonce: NONCE, continuation: folders[machine] });
        if (!checked.ok) throw new Error(checked.code);
        folders[machine] = checked.value.continuation;
        codes.push(checked.value.code);
      }
    }
    return codes;
  };
  const events = async ({ store }: Awaited<ReturnType<typeof aLicenseStore>>) =>
    (await store.entries()).filter((one) => JSON.stringify(one).includes('device.shared')).length;

  test('a copied folder is reported to the shop once and keeps running if the product does not forbid it', async () => {
    const one = await aLicenseStore();
    expect(new Set(await twoMachines(one, 9))).toEqual(new Set(['valid']));
    const { device } = await one.store.get('devices').find(1, 1, 'laptop');
    expect(device && sharedAt(device)).toBe(addDays(NOW, 3));
    expect(await events(one)).toBe(1);
  });

  test('a copied folder is refused on both machines if the product says so, until the device is released', async () => {
    const one = await aLicenseStore({ products: [{ ...NOTES, shared_devices: 'refused' }] });
    const codes = await twoMachines(one, 5);
    expect(codes.slice(-4)).toEqual(Array(4).fill('device_shared'));
    const refused = await one.check({ nonce: NONCE });
    expect(refused).toMatchObject({
      value: { valid: false, device: null, token: null, continuation: null, devices: { used: 1 } },
    });
    expect(await one.check({ device_id: 'phone', nonce: NONCE })).toMatchObject(valid);
    await one.store.get('devices').release(grantPermit(), 1, 1, 'laptop', { now: NOW });
    expect(await one.check({ nonce: NONCE, continuation: '1.1.1' })).toMatchObject(valid);
    expect((await twoMachines(one, 9)).slice(-1)).toEqual(['device_shared']);
  });

  test('a copied folder costs extra calls only at the start of a day and on a mismatch', async () => {
    const { store, check } = await aLicenseStore();
    const first = await check({ nonce: NONCE, device_name: 'Mac' });
    const continuation = first.ok ? first.value.continuation : null;
    const before = await store.entries();
    for (const question of [{ continuation }, {}, { nonce: null }]) {
      await check({ nonce: NONCE, device_name: 'Renamed', ...question });
    }
    expect(await store.entries()).toEqual(before);
    await check({ nonce: NONCE, continuation: '1.1.1' });
    expect(await store.entries()).not.toEqual(before);
  });

  test('a device gets its former continuation value if the store can’t record the new day', async () => {
    const { store, check } = await aLicenseStore();
    const first = await check({ nonce: NONCE });
    const continuation = first.ok ? first.value.continuation : null;
    const devices = store.get('devices');
    devices.touch = () => Promise.reject(new Error('The disk is full.'));
    store.clock.at = addDays(NOW, 1);
    for (const presented of [continuation, '1.1.1']) {
      expect(await check({ nonce: NONCE, continuation: presented })).toMatchObject({
        value: { valid: true, continuation: presented, token: expect.any(String) },
      });
    }
  });
});
