import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { DEVICE_SIGN_INS_PER_ADDRESS, USER_CODES_PER_ACCOUNT } from '../../../domain/sign-in/attempts.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { anApiKey, aProduct, NOW } from '../../support/builders.ts';
import { aDeviceStore, told } from '../../support/device-sign-in.ts';
import { ADDRESS } from '../../support/sign-in.ts';

const permit = grantPermit();

describe('the sign-in of a device', () => {
  test('an approved device gets a key with the six abilities, bound to the device', async () => {
    const { store, start, decide, poll } = await aDeviceStore();
    const { device_code, user_code, expires_in, interval } = await start();
    expect(user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect([expires_in, interval]).toEqual([900, 5]);
    expect(await poll(device_code)).toMatchObject({ ok: false, code: 'authorization_pending' });
    expect(await decide(user_code)).toMatchObject({ ok: true, value: { state: 'approved', account_id: 1 } });
    const redeemed = await poll(device_code);
    if (!redeemed.ok) throw new Error(redeemed.code);
    expect(redeemed.value.key).toMatchObject({
      account_id: 1,
      name: 'Laptop',
      kind: 'device',
      client: 'cli',
      device: { device_id: 'laptop', name: 'Laptop' },
      product_id: null,
      abilities: [
        'products.read',
        'device.entitlements',
        'device.activate',
        'device.install',
        'device.usage',
        'support.report',
      ],
    });
    expect(await store.get('authenticate')(redeemed.value.value)).toMatchObject({ ok: true });
  });

  test('neither the codes nor the key are stored', async () => {
    const { store, approved, poll } = await aDeviceStore();
    const { device_code, user_code } = await approved();
    const waiting = JSON.stringify(await store.entries());
    for (const secret of [device_code, user_code, user_code.replace('-', '')]) expect(waiting).not.toContain(secret);
    const redeemed = await poll(device_code);
    expect(JSON.stringify(await store.entries())).not.toContain(redeemed.ok ? redeemed.value.value : '');
  });

  test('a key is returned once and leaves nothing of the sign-in behind', async () => {
    const { store, approved, poll, liveKeys } = await aDeviceStore();
    const { device_code } = await approved();
    expect(told(await poll(device_code))).toBe('ok');
    expect(told(await poll(device_code))).toBe('expired_token');
    expect(await liveKeys()).toHaveLength(1);
    expect(JSON.stringify(await store.entries())).not.toMatch(/DEVICESIGNIN|"USERCODE/);
  });

  test('a denied device learns it at each poll', async () => {
    const { start, decide, poll, liveKeys } = await aDeviceStore();
    const { device_code, user_code } = await start();
    expect(await decide(user_code, 'deny')).toMatchObject({ ok: true, value: { state: 'denied' } });
    expect(told(await poll(device_code))).toBe('access_denied');
    expect(told(await poll(device_code))).toBe('access_denied');
    expect(await liveKeys()).toEqual([]);
  });

  test('a device that polls too fast is slowed down by five seconds each time', async () => {
    const { start, poll, wait } = await aDeviceStore();
    const { device_code } = await start();
    expect(told(await poll(device_code))).toBe('authorization_pending');
    expect(await poll(device_code)).toMatchObject({ code: 'slow_down', data: { interval: 10 } });
    wait(5);
    expect(await poll(device_code)).toMatchObject({ code: 'slow_down', data: { interval: 15 } });
    wait(15);
    expect(told(await poll(device_code))).toBe('authorization_pending');
  });

  test('a sign-in ends after 15 minutes for the device and for the person', async () => {
    const { start, approved, decide, find, poll, wait } = await aDeviceStore();
    const [waiting, decided] = [await start(), await approved()];
    wait(900);
    expect(told(await poll(waiting.device_code))).toBe('expired_token');
    expect(told(await poll(decided.device_code))).toBe('expired_token');
    expect(told(await find(waiting.user_code))).toBe('unknown_user_code');
    expect(told(await decide(waiting.user_code))).toBe('unknown_user_code');
  });

  test('a device code of another client, a wrong one and a missing one get the same answer', async () => {
    const { approved, poll } = await aDeviceStore();
    const { device_code } = await approved();
    expect(told(await poll(device_code, 'cloud-apps'))).toBe('expired_token');
    expect(told(await poll('x'.repeat(43)))).toBe('expired_token');
    expect(told(await poll(''))).toBe('expired_token');
    expect(told(await poll(device_code))).toBe('ok');
  });

  test('only the known clients sign devices in', async () => {
    const { store, device } = await aDeviceStore();
    const start = store.get('startDeviceSignIn');
    expect(told(await start({ ...device, client_id: 'cloud-apps' }))).toBe('ok');
    expect(told(await start({ ...device, client_id: 'other' }))).toBe('unknown_client');
  });

  test('one IP address can begin sixty sign-ins within 15 minutes', async () => {
    const { store, device } = await aDeviceStore();
    const start = store.get('startDeviceSignIn');
    for (let n = 0; n < DEVICE_SIGN_INS_PER_ADDRESS; n++) expect(told(await start(device))).toBe('ok');
    expect(told(await start(device))).toBe('too_many_attempts');
    expect(told(await start({ ...device, address: '198.51.100.1' }))).toBe('ok');
  });

  test('a user code in use is not given to another device', async () => {
    const letters = ['BCDFGHJK', 'BCDFGHJK', 'LMNPQRST'];
    let values = 0;
    const secrets = { value: () => String(values++).padStart(43, '0'), letters: () => letters.shift()! };
    const { start } = await aDeviceStore({}, { secrets });
    expect((await start()).user_code).toBe('BCDF-GHJK');
    expect((await start()).user_code).toBe('LMNP-QRST');
  });
});

describe('the decision about a device', () => {
  test('a code is accepted as people type it and shows the client and the device', async () => {
    const { start, find } = await aDeviceStore();
    const { user_code } = await start();
    expect(await find(` ${user_code.toLowerCase().replace('-', ' ')}`)).toMatchObject({
      ok: true,
      value: { client_id: 'cli', client_name: 'Command-line client', device: { name: 'Laptop' }, state: 'waiting' },
    });
  });

  test('a device is decided on once, by whoever comes first', async () => {
    const { start, decide, find, poll } = await aDeviceStore();
    const { device_code, user_code } = await start();
    const decisions = [1, 2, 1, 2].map((account, n) => decide(user_code, n % 2 ? 'deny' : 'approve', account));
    expect((await Promise.all(decisions)).filter(({ ok }) => ok)).toHaveLength(1);
    expect(told(await find(user_code, 2))).toBe('unknown_user_code');
    expect(['ok', 'access_denied']).toContain(told(await poll(device_code)));
  });

  test('a device that polls at the moment of its approval gets its key', async () => {
    const { start, decide, poll, wait } = await aDeviceStore();
    const { device_code, user_code } = await start();
    const [decided, asked] = await Promise.all([decide(user_code), poll(device_code), poll(device_code)]);
    expect(told(decided)).toBe('ok');
    wait(60);
    if (told(asked) !== 'ok') expect(['ok', 'expired_token']).toContain(told(await poll(device_code)));
  });

  test('the person can name the device', async () => {
    const { store, start, poll } = await aDeviceStore();
    const { device_code, user_code } = await start();
    const named = { account_id: 1, address: ADDRESS, user_code, decision: 'approve', device_name: 'Work' } as const;
    await store.get('decideDeviceSignIn')(permit, named);
    expect(await poll(device_code)).toMatchObject({
      value: { key: { name: 'Work', device: { device_id: 'laptop', name: 'Work' } } },
    });
  });

  test('an account can try twenty wrong codes, and then not even a right one', async () => {
    const { start, find, decide } = await aDeviceStore();
    const { user_code } = await start();
    const wrong = user_code === 'BBBB-BBBB' ? 'CCCC-CCCC' : 'BBBB-BBBB';
    for (let n = 0; n < USER_CODES_PER_ACCOUNT; n++) expect(told(await find(wrong))).toBe('unknown_user_code');
    expect(told(await find(user_code))).toBe('too_many_attempts');
    expect(told(await decide(user_code))).toBe('too_many_attempts');
    expect(told(await find(user_code, 2))).toBe('ok');
  });

  test('simultaneous wrong codes stay within the limit', async () => {
    const { find } = await aDeviceStore();
    const found = await Promise.all(Array.from({ length: 60 }, () => find('BBBB-BBBB')));
    expect(found.map(told).filter((code) => code === 'unknown_user_code')).toHaveLength(USER_CODES_PER_ACCOUNT);
  });

  test('right codes and invalid texts use up no attempts', async () => {
    const { start, find, decide } = await aDeviceStore();
    const { user_code } = await start();
    for (let n = 0; n < 50; n++) {
      expect(told(await find(user_code))).toBe('ok');
      expect(told(await find('hello'))).toBe('unknown_user_code');
    }
    expect(told(await decide(user_code))).toBe('ok');
  });
});

describe('the quota for the key of a device', () => {
  const personal = [1, 2, 3].map((id) => anApiKey({ id }));

  test('a device is not approved while keys that it can’t replace fill the quota', async () => {
    const { start, decide, poll, store } = await aDeviceStore({ keys: personal });
    const { device_code, user_code } = await start();
    expect(await decide(user_code)).toMatchObject({ code: 'key_limit_reached', data: { limit: 3 } });
    expect(told(await poll(device_code))).toBe('authorization_pending');
    await store.get('revokeOwnKey')(permit, 1, 2);
    expect(told(await decide(user_code))).toBe('ok');
    expect(told(await poll(device_code))).toBe('ok');
  });

  test('a device can be denied while the quota is full', async () => {
    const { start, decide } = await aDeviceStore({ keys: personal });
    expect(told(await decide((await start()).user_code, 'deny'))).toBe('ok');
  });

  test('a device whose quota filled up after its approval learns that', async () => {
    const { store, approved, poll } = await aDeviceStore({ keys: personal.slice(1) });
    const { device_code } = await approved();
    await store.put({ keys: [anApiKey({ id: 4 })] });
    expect(await poll(device_code)).toMatchObject({ code: 'key_limit_reached', data: { limit: 3 } });
  });

  test('a device replaces the least recently used device of its client', async () => {
    const used = [3, 9, 1].map((days, n) => aDeviceKey({ id: n + 1, last_used_at: addDays(NOW, -days) }));
    const { approved, poll, liveKeys } = await aDeviceStore({ keys: used });
    const { device_code } = await approved();
    expect(told(await poll(device_code))).toBe('ok');
    expect((await liveKeys()).map(({ id }) => id).slice(0, 2)).toEqual([1, 3]);
    expect(await liveKeys()).toHaveLength(3);
  });

  test('an application replaces its own device, and never that of another application', async () => {
    const [memo, notes] = ['com.example.memo', 'com.example.notes'];
    const products = [
      aProduct({ id: 1, slug: 'memo', bundle_id: memo }),
      aProduct({ id: 2, slug: 'notes', bundle_id: notes }),
    ];
    const keys = [notes, memo, notes].map((client, n) => aDeviceKey({ id: n + 1, client }));
    const { approved, poll, liveKeys } = await aDeviceStore({ keys, products });
    const { device_code } = await approved({ client_id: memo });
    expect(await poll(device_code, memo)).toMatchObject({ ok: true, value: { replaced: { id: 2 } } });
    expect((await liveKeys()).map(({ client }) => client)).toEqual([notes, notes, memo]);
  });
});
