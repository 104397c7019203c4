import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays, type Instant, MINUTE_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed } from '../../support/permits.ts';

const LAB = aProduct({ id: 1, device_limit: 2, slots: 'sessions', borrow_days: 7 });

const later = (minutes: number): Instant => toInstant(millis(NOW) + minutes * MINUTE_MS);

const claimsOf = (token: string | null) => JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());

/** A store whose account 1 owns two sessions of LAB. */
const aFloatingStore = async (contents: Contents = {}) => {
  const store = await aStore([licensing], { products: [LAB], entitlements: [anEntitlement()], ...contents });
  const body = { product_id: 1, bundle_id: null, app_version: null, lease_id: null, borrow_days: null };
  const call = { account_id: 1, scope: { product_id: null }, locale: 'en' as const };
  return {
    store,
    lease: (
      device_id: string,
      more: { lease_id?: string; borrow_days?: number; app_version?: string } = {},
      key = {},
    ) => passed(store.get('leaseLicense')({ ...call, key, body: { ...body, device_id, ...more } }), PERMIT),
    giveBack: (lease_id: string) =>
      passed(store.get('returnLease')({ ...call, body: { product_id: 1, bundle_id: null, lease_id } }), PERMIT),
    release: (lease_id: string) =>
      passed(store.get('releaseLease')({ ...call, body: { product_id: 1, lease_id } }), PERMIT),
    check: (device_id: string) =>
      passed(store.get('checkLicense')({ ...call, key: null, body: { ...body, device_id } }), PERMIT),
    releaseDevice: (device_id: string, offlineToo = false) =>
      store.get('releaseSlots').ofProduct(grantPermit(), 1, 1, device_id, offlineToo),
  };
};

/** The value of a call that must succeed. */
const given = async <T>(working: Promise<{ ok: true; value: T } | { ok: false }>): Promise<T> => {
  const outcome = await working;
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.value;
};

const idOf = async (working: ReturnType<Awaited<ReturnType<typeof aFloatingStore>>['lease']>): Promise<string> =>
  (await given(working)).lease?.lease_id ?? '';

describe('a floating license', () => {
  test('a floating license gives as many sessions as it has slots, and its refusal lists them without lease ids', async () => {
    const { lease } = await aFloatingStore();
    const first = await given(lease('lab-1'));
    expect(first).toMatchObject({ valid: true, sessions: { used: 1, limit: 2 }, device: { device_id: 'lab-1' } });
    expect(first.lease).toMatchObject({ expires_at: later(10), renew_after: later(5), borrowed_until: null });
    await lease('lab-2');
    const refused = await lease('lab-3');
    expect(refused).toMatchObject({ ok: false, code: 'session_limit_reached', data: { session_limit: 2 } });
    expect(JSON.stringify(refused)).toContain('lab-1');
    expect(JSON.stringify(refused)).not.toContain(first.lease?.lease_id);
  });

  test('a session’s token ends with the lease and names it, whatever the policy’s days', async () => {
    const { lease } = await aFloatingStore();
    const { token, lease: held } = await given(lease('lab-1'));
    const claims = { exp: millis(later(10)) / 1000, lease_id: held?.lease_id, device_id: 'lab-1' };
    expect(claimsOf(token)).toMatchObject(claims);
    const borrowed = await given(lease('lab-1', { lease_id: held?.lease_id ?? '', borrow_days: 7 }));
    expect(claimsOf(borrowed.token)).toMatchObject({ exp: millis(addDays(NOW, 7)) / 1000 });
  });

  test('a session’s slot is free when it is given back, released or expired, but not while it is borrowed', async () => {
    const { store, lease, giveBack, release } = await aFloatingStore();
    const [one, two] = [await idOf(lease('lab-1')), await idOf(lease('lab-2'))];
    expect(await giveBack(one)).toMatchObject({ value: { returned: true } });
    expect(await giveBack(one)).toMatchObject({ value: { returned: false } });
    const three = await idOf(lease('lab-3', { borrow_days: 1 }));
    expect(await release(two)).toMatchObject({ value: { released: true, borrowed_until: null } });
    expect(await release(three)).toMatchObject({ value: { released: false, borrowed_until: addDays(NOW, 1) } });
    expect(await giveBack(three)).toMatchObject({ value: { returned: false } });
    expect(await lease('lab-4')).toMatchObject({ value: { sessions: { used: 2 } } });
    expect(await lease('lab-5')).toMatchObject({ code: 'session_limit_reached' });
    store.clock.at = later(10);
    expect(await lease('lab-5')).toMatchObject({ value: { sessions: { used: 2 } } });
  });

  test('a session whose slot was taken gets the next free slot with another id', async () => {
    const { store, lease } = await aFloatingStore();
    const lost = await idOf(lease('lab-1'));
    store.clock.at = later(10);
    for (const device of ['lab-2', 'lab-3']) await lease(device);
    expect(await lease('lab-1', { lease_id: lost })).toMatchObject({ code: 'session_limit_reached' });
    store.clock.at = later(20);
    const again = await given(lease('lab-1', { lease_id: lost }));
    expect(again.lease?.lease_id).not.toBe(lost);
  });

  test('the owner and the shop see the same sessions, and only the shop can end a borrowed one', async () => {
    const { store, lease, releaseDevice } = await aFloatingStore();
    await lease('lab-1', { borrow_days: 3 });
    const used = (await store.get('devices').used(1)).get(1);
    expect(used?.sessions).toMatchObject([{ device_id: 'lab-1', borrowed_until: addDays(NOW, 3) }]);
    expect(await releaseDevice('lab-1')).toMatchObject({ offline_until: addDays(NOW, 3) });
    expect(await releaseDevice('lab-1', true)).toBe('released');
    expect(await releaseDevice('lab-1', true)).toBe('not there');
  });

  test('a license check of a floating license takes no slot, has no token and reports how many sessions run', async () => {
    const { store, check, lease } = await aFloatingStore();
    await lease('lab-1');
    expect(await check('lab-1')).toMatchObject({ value: { devices: { used: 1, limit: 2 } } });
    store.clock.at = later(10);
    const message = expect.stringContaining('takes a session');
    const answer = { valid: true, device: null, token: null, message, devices: { used: 0, limit: 2 } };
    expect(await check('lab-1')).toMatchObject({ value: answer });
  });

  test('a floating license refuses a suspended account and ended access, and limits the days of borrowing', async () => {
    const { lease } = await aFloatingStore();
    expect(await lease('lab-1', {}, { suspended: true })).toMatchObject({ value: { valid: false, lease: null } });
    expect(await lease('lab-1', { borrow_days: 8 })).toMatchObject({ code: 'validation_failed' });
    const ending = await aFloatingStore({ entitlements: [anEntitlement({ access_expires_at: later(3) })] });
    expect(await ending.lease('lab-1', { borrow_days: 7 })).toMatchObject({
      value: { lease: { expires_at: later(3) } },
    });
  });

  test('a session counts its machine once among the versions in use and converts its trial', async () => {
    const { store, lease, giveBack } = await aFloatingStore({ products: [{ ...LAB, trial_days: 14 }] });
    const question = { product_id: 1, bundle_id: null, app_version: null };
    const trying = (device_id: string) =>
      store.get('startTrial')({
        owner: { kind: 'address', address: '192.0.2.1' },
        body: { ...question, device_id },
        locale: 'en',
      });
    for (const device of ['lab-1', 'lab-3']) await passed(trying(device), PERMIT);
    for (const app_version of ['1.0', '1.1', '1.2']) await giveBack(await idOf(lease('lab-1', { app_version })));
    const second = await idOf(lease('lab-2', { app_version: '1.0' }));
    const versions = () => store.get('devices').seenVersions(1, store.clock.at.slice(0, 10));
    expect([...(await versions())].sort()).toEqual(['1.0', '1.2']);
    store.clock.at = addDays(NOW, 1);
    await lease('lab-2', { lease_id: second, app_version: '1.3' });
    expect(await versions()).toEqual(['1.3']);
    const month = NOW.slice(0, 7);
    expect(await store.get('trials').months(1, [month])).toEqual([{ month, started: 2, converted: 1 }]);
  });

  test('sessions need a product that offers them', async () => {
    const { lease } = await aFloatingStore({ products: [aProduct({ id: 1 })] });
    expect(await lease('lab-1')).toMatchObject({ code: 'lease_not_offered' });
  });
});
