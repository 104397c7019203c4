import { describe, expect, test } from 'vitest';
import { devicesHandlers as devices } from '../../../adapters/pipeline/handlers/devices.ts';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { aBundle, anApiKey, anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';

const laptop = aDeviceKey({ id: 1 });
const desktop = aDeviceKey({ id: 2, device: { device_id: 'desktop', name: null } });
const products = [aProduct({ id: 5, name: { en: 'Notes', ko: '노트' } }), aProduct({ id: 6 }), aProduct({ id: 7 })];
const entitlements = [5, 6].map((id) => anEntitlement({ id, product_id: id }));

/** A store whose account 1 owns products 5 and 6 and signed in on its laptop and its desktop. */
const aSignedInStore = async (contents: Contents = {}) => {
  const store = await aStore([devices], { products, entitlements, keys: [laptop, desktop], ...contents });
  return {
    store,
    activate: async (key: ApiKey = laptop, permit = PERMIT, requestName: string | null = null) =>
      done(await passed(store.get('bulkActivate')({ key, locale: 'en', requestName }), permit)),
    live: async (product_id: number) => {
      const { keys } = await store.get('apiKeys').scope(1, product_id);
      return keys.filter(({ revoked_at }) => revoked_at === null);
    },
  };
};

const statuses = ({ products }: { products: readonly { product_id: number; status: string }[] }) =>
  products.map(({ product_id, status }) => [product_id, status]);

describe('the bulk activation of a device', () => {
  test('a device gets a working key for each product that its account may use', async () => {
    const { store, activate, live } = await aSignedInStore();
    const activated = await activate();
    expect(activated.created).toBe(2);
    const [notes] = activated.products;
    expect(notes).toMatchObject({ product_id: 5, name: 'Notes', status: 'created' });
    const principal = { account_id: 1, product_id: 5, credential: { key: { parent_id: 1, device: laptop.device } } };
    expect(await store.get('authenticate')(notes?.key ?? '')).toMatchObject({ value: principal });
    expect((await live(5)).map(({ prefix }) => prefix)).toEqual([notes?.key_prefix]);
    expect(statuses(activated)).toEqual([
      [5, 'created'],
      [6, 'created'],
    ]);
  });

  test('a repeated activation keeps the keys and no longer shows their values', async () => {
    const { activate, live } = await aSignedInStore();
    const first = await activate();
    const products = first.products.map((row) => ({ ...row, status: 'existing', key: null }));
    expect(await activate()).toEqual({ products, created: 0 });
    expect(await live(5)).toHaveLength(1);
  });

  test('each device of an account gets its own keys', async () => {
    const { activate, live } = await aSignedInStore();
    await activate(laptop);
    expect((await activate(desktop)).created).toBe(2);
    expect((await live(5)).map(({ parent_id }) => parent_id)).toEqual([1, 2]);
  });

  test('the products of a bundle are activated, and products with ended access are not', async () => {
    const bundles = [aBundle({ product_id: 6, product_ids: [7] })];
    const ended = anEntitlement({ id: 5, product_id: 5, access_expires_at: NOW });
    const owned = anEntitlement({ id: 6, product_id: 6 });
    const { activate } = await aSignedInStore({ bundles, entitlements: [ended, owned] });
    expect(statuses(await activate())).toEqual([
      [6, 'created'],
      [7, 'created'],
    ]);
  });

  test('a product key has no more abilities than its device and ends with it', async () => {
    const expires_at = addDays(NOW, 9);
    const bare = aDeviceKey({ id: 3, abilities: ['device.activate', 'device.usage', 'orders.read'], expires_at });
    const { activate, live } = await aSignedInStore({ keys: [bare] });
    await activate(bare);
    expect(await live(5)).toMatchObject([{ abilities: ['device.usage'], expires_at }]);
  });

  test('a key that is bound to one product serves as its own product key', async () => {
    const bound = aDeviceKey({ id: 3, product_id: 5 });
    const { activate } = await aSignedInStore({ keys: [bound] });
    expect(await activate(bound)).toMatchObject({ created: 0, products: [{ product_id: 5, status: 'existing' }] });
  });

  test('an activation whose permit never resolves creates no key', async () => {
    const { store, activate } = await aSignedInStore();
    const before = await store.entries();
    await withoutPermit((permit) => activate(laptop, permit));
    expect(await store.entries()).toEqual(before);
  });
});

describe('an activation whose response was lost', () => {
  const later = (ms: number) => toInstant(Date.parse(NOW) + ms);

  test('unused keys are made again after five seconds, and the lost ones are revoked', async () => {
    const { store, activate, live } = await aSignedInStore();
    const lost = await activate();
    store.clock.at = later(5000);
    const again = await activate();
    expect(again.created).toBe(2);
    expect(await live(5)).toMatchObject([{ prefix: again.products[0]?.key_prefix }]);
    expect(await store.get('authenticate')(lost.products[0]?.key ?? '')).toMatchObject({ ok: false });
    expect(await store.get('authenticate')(again.products[0]?.key ?? '')).toMatchObject({ ok: true });
  });

  test.each([0, 4999, 600_001])('keys created %i milliseconds ago are kept', async (age) => {
    const { store, activate, live } = await aSignedInStore();
    const first = await activate();
    store.clock.at = later(age);
    expect((await activate()).created).toBe(0);
    expect(await live(5)).toMatchObject([{ prefix: first.products[0]?.key_prefix }]);
  });

  test('a used key is kept, and an unused one is replaced', async () => {
    const { store, activate } = await aSignedInStore();
    const first = await activate();
    const used = await store.get('authenticate')(first.products[0]?.key ?? '');
    if (!used.ok || used.value.credential.kind !== 'key') throw new Error('The key does not work.');
    await store.get('recordKeyUse')(used.value.credential.key);
    store.clock.at = later(60_000);
    expect(statuses(await activate())).toEqual([
      [5, 'existing'],
      [6, 'created'],
    ]);
  });

  test('the same Idempotency-Key replaces unused keys for a day and stores no secret', async () => {
    const { store, activate, live } = await aSignedInStore();
    const first = await activate(laptop, PERMIT, 'a-name');
    store.clock.at = later(1);
    const again = await activate(laptop, PERMIT, 'a-name');
    expect([first.created, again.created]).toEqual([2, 2]);
    store.clock.at = later(24 * 3_600_000);
    expect((await activate(laptop, PERMIT, 'a-name')).created).toBe(2);
    store.clock.at = later(49 * 3_600_000);
    expect((await activate(laptop, PERMIT, 'a-name')).created).toBe(0);
    expect(await live(5)).toHaveLength(1);
    const kept = JSON.stringify(await store.entries());
    for (const { key } of [...first.products, ...again.products]) expect(kept).not.toContain(key);
    expect(kept).not.toContain('a-name');
  });

  test('a different Idempotency-Key, or the same one from another device, changes no keys', async () => {
    const { store, activate, live } = await aSignedInStore();
    await activate(laptop, PERMIT, 'a-name');
    store.clock.at = later(1);
    expect((await activate(laptop, PERMIT, 'another')).created).toBe(0);
    expect((await activate(desktop, PERMIT, 'a-name')).created).toBe(2);
    expect((await live(5)).map(({ parent_id }) => parent_id)).toEqual([1, 2]);
    const [ofLaptop, ofDesktop] = await live(5);
    expect(ofLaptop?.request_hash).not.toBe(ofDesktop?.request_hash);
  });

  test('a key is replaced even if the product’s quota is full', async () => {
    const personal = [10, 11].map((id) => anApiKey({ id, product_id: 5 }));
    const { store, activate, live } = await aSignedInStore({ keys: [laptop, ...personal] });
    await activate();
    store.clock.at = later(6000);
    expect((await activate()).created).toBe(2);
    expect(await live(5)).toHaveLength(3);
  });

  test('of several simultaneous calls after a lost response, exactly one replaces each key', async () => {
    const { store, activate, live } = await aSignedInStore();
    await activate(laptop, PERMIT, 'a-name');
    store.clock.at = later(6000);
    const all = await Promise.all([1, 2, 3].map(() => activate(laptop, PERMIT, 'a-name')));
    expect(all.reduce((sum, { created }) => sum + created, 0)).toBe(2);
    const made = all.flatMap(({ products }) => products.flatMap(({ key_prefix, key }) => (key ? [key_prefix] : [])));
    expect([...(await live(5)), ...(await live(6))].map(({ prefix }) => prefix).sort()).toEqual(made.sort());
  });
});

describe('the quota of a product’s keys', () => {
  const personal = (count: number) => Array.from({ length: count }, (_, n) => anApiKey({ id: 10 + n, product_id: 5 }));

  test('a product with a full quota is reported, and the others are activated', async () => {
    const { activate, live } = await aSignedInStore({ keys: [laptop, ...personal(3)] });
    const activated = await activate();
    expect(statuses(activated)).toEqual([
      [5, 'key_limit_reached'],
      [6, 'created'],
    ]);
    expect(activated).toMatchObject({ created: 1, products: [{ key: null, key_prefix: null }, {}] });
    expect(await live(5)).toHaveLength(3);
  });

  test('of two devices that are activated at the same time, one gets the last key', async () => {
    const { activate, live } = await aSignedInStore({ keys: [laptop, desktop, ...personal(2)] });
    const both = await Promise.all([activate(laptop), activate(desktop)]);
    expect(both.map(({ products: [notes] }) => notes?.status).sort()).toEqual(['created', 'key_limit_reached']);
    expect(await live(5)).toHaveLength(3);
  });

  test('three simultaneous activations of one device create each key once', async () => {
    const { activate, live } = await aSignedInStore();
    const all = await Promise.all([activate(), activate(), activate()]);
    expect(all.reduce((sum, { created }) => sum + created, 0)).toBe(2);
    expect([await live(5), await live(6)].map(({ length }) => length)).toEqual([1, 1]);
  });
});

test('a device that signs out during its activation keeps no key', async () => {
  const { store, activate, live } = await aSignedInStore();
  const { promise, resolve } = Promise.withResolvers<Permit>();
  const activated = activate(laptop, promise);
  await passed(store.get('signOutDevice')({ key: laptop }));
  resolve(grantPermit());
  expect((await activated).created).toBe(2);
  expect([await live(5), await live(6)]).toEqual([[], []]);
});
