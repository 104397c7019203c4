import { describe, expect, test } from 'vitest';
import { DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import type { ApiKey, KeyInput } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { aDeviceKey, anAccount } from '../../support/account-builders.ts';
import { aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const signInOn = (device_id: string, client = 'cli') => ({ device: { client, device: { device_id, name: null } } });

/** A store with account 1 and product 5, and a function that creates keys of that account. */
const aKeyStore = async (contents: Contents = {}) => {
  const store = await aStore([keys], { accounts: [anAccount()], products: [aProduct({ id: 5 })], ...contents });
  return {
    store,
    create: (input: Partial<KeyInput> = {}) =>
      store.get('createApiKey')(grantPermit(), { account_id: 1, name: 'Key', ...input }),
    liveIds: async () => {
      const listed = await store.get('listApiKeys')({ account_id: 1 });
      return listed.ok ? listed.value.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id) : [];
    },
  };
};

describe('the creation of an API key', () => {
  test('a created key works at once, and only its hash and prefix are stored', async () => {
    const { store, create } = await aKeyStore();
    const created = await create({ name: 'Build server' });
    if (!created.ok) throw new Error(created.message);
    const { value, key } = created.value;
    expect(key).toMatchObject({ account_id: 1, name: 'Build server', kind: 'personal', product_id: null });
    expect(key.abilities).toEqual(PERSONAL_KEY_ABILITIES);
    expect(await store.get('authenticate')(value)).toMatchObject({ value: { account_id: 1 } });
    expect(await store.get('listApiKeys')({ account_id: 1 })).toEqual({ ok: true, value: [key] });
    expect(JSON.stringify(await store.entries())).not.toContain(value);
  });

  test('a key can be bound to a product, have an expiry and have chosen abilities', async () => {
    const { create } = await aKeyStore();
    const input = { product_id: 5, expires_at: addDays(NOW, 30), abilities: ['orders.read'] } as const;
    expect(await create(input)).toMatchObject({ value: { key: input } });
  });

  test.each<[string, Partial<KeyInput>, string]>([
    ['an account that does not exist', { account_id: 9 }, 'account_not_found'],
    ['a product that does not exist', { product_id: 6 }, 'product_not_found'],
    ['an expiry at this very moment', { expires_at: NOW }, 'expiry_has_passed'],
  ])('a key for %s is refused and not stored', async (_, input, code) => {
    const { store, create } = await aKeyStore();
    const before = await store.entries();
    expect(await create(input)).toMatchObject({ ok: false, code });
    expect(await store.entries()).toEqual(before);
  });
});

describe('the quota of keys', () => {
  test('of five keys that are created at the same time, exactly three succeed', async () => {
    const { create, liveIds } = await aKeyStore();
    const created = await Promise.all([1, 2, 3, 4, 5].map(() => create()));
    expect(created.filter(({ ok }) => ok)).toHaveLength(3);
    expect(await liveIds()).toHaveLength(3);
  });
});

describe('the sign-in of a device', () => {
  test('a device sign-in creates a device key that records its device and client', async () => {
    const { create } = await aKeyStore();
    const key = { kind: 'device', client: 'cli', device: { device_id: 'laptop', name: null } };
    expect(await create(signInOn('laptop'))).toMatchObject({ value: { key } });
    expect(await create(signInOn('laptop'))).toMatchObject({ value: { key: { abilities: DEVICE_KEY_ABILITIES } } });
  });

  test('a device sign-in revokes the key that is idle for hours, not the busy one that was first used earlier today', async () => {
    const [busy, idle, other] = [1, 2, 3].map((id) => aDeviceKey({ id }));
    const { store, create, liveIds } = await aKeyStore({ keys: [busy, idle, other] as ApiKey[] });
    const uses = [
      [8, busy],
      [9, idle],
      [10, other],
      [11, busy],
    ] as const;
    for (const [hour, key] of uses) {
      store.clock.at = `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
      await store.get('recordKeyUse')((await store.get('apiKeys').find(key?.hash ?? '')) as ApiKey);
    }
    await create(signInOn('phone'));
    expect(await liveIds()).toEqual([1, 3, 1001]);
  });

  test('a device sign-in also revokes the product keys of the device that it replaces', async () => {
    const devices = [1, 2, 3].map((id) => aDeviceKey({ id, last_used_at: addDays(NOW, id - 9) }));
    const ofProduct = [1, 2].map((parent_id) => aDeviceKey({ id: 10 + parent_id, parent_id, product_id: 5 }));
    const { create, liveIds } = await aKeyStore({ keys: [...devices, ...ofProduct] });
    await create(signInOn('phone'));
    expect(await liveIds()).toEqual([2, 3, 12, 1001]);
  });

  test('three devices that sign in at the same time get one live key each', async () => {
    const { create, liveIds } = await aKeyStore({ keys: [1, 2, 3].map((id) => aDeviceKey({ id })) });
    const created = await Promise.all(['a', 'b', 'c'].map((device) => create(signInOn(device))));
    expect(created.every(({ ok }) => ok)).toBe(true);
    expect(await liveIds()).toEqual(created.map((one) => one.ok && one.value.key.id).sort());
  });
});
