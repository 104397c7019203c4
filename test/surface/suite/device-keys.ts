import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { CHANGES_BY_KEYS } from '../../../domain/audit/bounds.ts';
import { aBuyer, aKey, anAccount, type MadeKey } from '../buyers.ts';
import { get, post, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { BUNDLE, NOTES, OTHER, SKILL, TOOL } from '../shop.ts';
import { daysFromNow } from '../times.ts';

const ACTIVATE = '/api/device/bulk-activate';
const LOGOUT = '/api/cli/device/logout';

type Row = { product_id: number; name: string; status: string; key: string | null; key_prefix: string | null };

export const deviceKeysSuite = (mount: () => Mount): void => {
  /** A device signed in to an account that owns TOOL and OTHER. */
  const aSignedInDevice = async (): Promise<{ account: number; parent: MadeKey }> => {
    const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }, { product_id: OTHER }] });
    return { account, parent: await aKey(mount().service, account, { device: { device_id: 'laptop' } }) };
  };
  const activate = async (key: string) =>
    (await post(mount(), ACTIVATE, key)).body as { products: Row[]; created: number };
  const keyOf = (rows: readonly Row[], product: number): string =>
    rows.find(({ product_id }) => product_id === product)?.key as string;
  const liveKeys = async (account: number, product: number | null) =>
    (await mount().service.get('apiKeys').scope(account, product)).keys.filter(({ revoked_at }) => revoked_at === null);

  describe('bulk activation', () => {
    test('bulk activation creates a working key for each product of the account, and shows it only once', async () => {
      const { parent } = await aSignedInDevice();
      const { products, created } = await activate(parent.value);
      expect(created).toBe(2);
      expect(products.map(({ product_id, name, status }) => [product_id, name, status])).toEqual([
        [TOOL, 'Tool', 'created'],
        [OTHER, 'Other', 'created'],
      ]);
      for (const { product_id, key, key_prefix } of products) {
        expect(key?.slice(0, 14)).toBe(key_prefix);
        expect((await get(mount(), `/api/products/${product_id}/license`, key as string)).status).toBe(200);
      }
      const again = await post(mount(), ACTIVATE, parent.value);
      for (const { key } of products) expect(again.text).not.toContain(key);
    });

    test('the product keys of a device end when a further sign-in replaces the device', async () => {
      const { account, parent } = await aSignedInDevice();
      const { products } = await activate(parent.value);
      const service = mount().service;
      for (const device_id of ['second', 'third', 'fourth']) await aKey(service, account, { device: { device_id } });
      expect((await get(mount(), '/api/library', parent.value)).status).toBe(401);
      for (const { product_id, key } of products) {
        expect((await get(mount(), `/api/products/${product_id}/license`, key as string)).status).toBe(401);
        expect(await liveKeys(account, product_id)).toEqual([]);
      }
    });

    test('bulk activation reports existing product keys and creates none twice', async () => {
      const { account, parent } = await aSignedInDevice();
      const first = await activate(parent.value);
      for (const { product_id, key } of first.products) {
        await get(mount(), `/api/products/${product_id}/license`, key as string);
      }
      const again = await activate(parent.value);
      expect(again.created).toBe(0);
      expect(again.products).toEqual(first.products.map((row) => ({ ...row, status: 'existing', key: null })));
      expect(await liveKeys(account, TOOL)).toHaveLength(1);
    });

    test('a bulk activation that is sent again with its Idempotency-Key makes unused keys anew', async () => {
      const { account, parent } = await aSignedInDevice();
      const again = async (name: string) => {
        const headers = { 'Idempotency-Key': name };
        return (await send(mount(), 'POST', ACTIVATE, { key: parent.value, headers })).body as { products: Row[] };
      };
      const lost = keyOf((await again('one')).products, TOOL);
      await sleep(5);
      const key = keyOf((await again('one')).products, TOOL);
      expect(key).toMatch(/^svc_/);
      const license = `/api/products/${TOOL}/license`;
      expect([(await get(mount(), license, lost)).status, (await get(mount(), license, key)).status]).toEqual([
        401, 200,
      ]);
      await sleep(5);
      const third = (await again('one')).products;
      expect(third.find(({ product_id }) => product_id === TOOL)).toMatchObject({ status: 'existing', key: null });
      expect(await liveKeys(account, TOOL)).toHaveLength(1);
      const wrong = await send(mount(), 'POST', ACTIVATE, { key: parent.value, headers: { 'Idempotency-Key': 'a b' } });
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['Idempotency-Key']]);
    });

    test('concurrent bulk activations of one device create each product key once', async () => {
      const { account, parent } = await aSignedInDevice();
      const replies = await Promise.all(Array.from({ length: 6 }, () => activate(parent.value)));
      expect(replies.reduce((sum, { created }) => sum + created, 0)).toBe(2);
      for (const product of [TOOL, OTHER]) {
        expect(await liveKeys(account, product)).toHaveLength(1);
        expect(replies.filter(({ products }) => keyOf(products, product) !== null)).toHaveLength(1);
      }
    });

    test('bulk activation of a second device creates separate product keys', async () => {
      const { account, parent } = await aSignedInDevice();
      const second = await aKey(mount().service, account, { device: { device_id: 'desktop' } });
      await activate(parent.value);
      expect((await activate(second.value)).created).toBe(2);
      expect(await liveKeys(account, TOOL)).toHaveLength(2);
    });

    test('an account that has made its changes of the day activates nothing until midnight, and still signs out', async () => {
      const { account, parent } = await aSignedInDevice();
      const bounds = mount().service.get('dailyBounds');
      await bounds.count(grantPermit(), CHANGES_BY_KEYS, String(account), CHANGES_BY_KEYS.most, daysFromNow(0));
      const { status, body, headers } = await post(mount(), ACTIVATE, parent.value);
      expect([status, body.message]).toEqual([
        429,
        'The limit of 1000 changes of an account by its keys a day (UTC) is reached; wait the number of seconds in Retry-After.',
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await liveKeys(account, TOOL)).toEqual([]);
      expect((await post(mount(), LOGOUT, parent.value)).status).toBe(204);
    });

    test('each product key that a bulk activation makes counts as a change of the day', async () => {
      const { account, parent } = await aSignedInDevice();
      await activate(parent.value);
      await activate(parent.value);
      const bounds = mount().service.get('dailyBounds');
      expect(await bounds.count(grantPermit(), CHANGES_BY_KEYS, String(account), 0, daysFromNow(0))).toBe(2);
    });

    test('a key of bulk activation is bound to its product and its device', async () => {
      const { parent } = await aSignedInDevice();
      const key = keyOf((await activate(parent.value)).products, TOOL);
      const elsewhere = await get(mount(), `/api/products/${OTHER}/license`, key);
      expect(elsewhere.body.error).toBe('product_api_key_scope_required');
      const check = await post(mount(), '/api/license/check', key, { product_id: TOOL });
      expect(check.body.device).toMatchObject({ device_id: 'laptop', name: 'Laptop' });
    });

    test('a key of bulk activation has no ability that the device’s key lacks, and can’t activate further keys', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }] });
      const abilities = ['device.activate', 'device.usage', 'orders.read', 'setup-progress.write'] as const;
      const parent = await aKey(mount().service, account, { device: {}, abilities });
      const child = keyOf((await activate(parent.value)).products, TOOL);
      expect((await get(mount(), `/api/products/${TOOL}`, child)).body.error).toBe('missing_api_key_ability');
      expect((await post(mount(), ACTIVATE, child)).body.error).toBe('missing_api_key_ability');
      expect((await liveKeys(account, TOOL)).map((key) => key.abilities)).toEqual([['device.usage']]);
    });

    test('bulk activation reports a product whose key quota is used up, and creates the other keys', async () => {
      const { account, parent } = await aSignedInDevice();
      for (let n = 0; n < 3; n++) await aKey(mount().service, account, { product_id: TOOL });
      const { products, created } = await activate(parent.value);
      expect(created).toBe(1);
      expect(products.find(({ product_id }) => product_id === TOOL)).toEqual({
        product_id: TOOL,
        name: 'Tool',
        status: 'key_limit_reached',
        key: null,
        key_prefix: null,
      });
      expect(await liveKeys(account, TOOL)).toHaveLength(3);
    });

    test('concurrent bulk activations of two devices never exceed the key quota of a product', async () => {
      const { account } = await aSignedInDevice();
      const parents: MadeKey[] = [];
      for (let n = 0; n < 2; n++) parents.push(await aKey(mount().service, account, { device: {} }));
      for (let n = 0; n < 2; n++) await aKey(mount().service, account, { product_id: TOOL });
      const replies = await Promise.all(parents.map(({ value }) => activate(value)));
      const statuses = replies.map(({ products }) => products.find(({ product_id }) => product_id === TOOL)?.status);
      expect(statuses.sort()).toEqual(['created', 'key_limit_reached']);
      expect(await liveKeys(account, TOOL)).toHaveLength(3);
    });

    test('bulk activation covers the products of a bundle, and omits products with a revoked entitlement', async () => {
      const account = await anAccount(mount().service, {
        entitlements: [{ product_id: BUNDLE }, { product_id: NOTES, revoked_at: '2026-01-01T00:00:00.000Z' }],
      });
      const { value } = await aKey(mount().service, account, { device: {} });
      const { products } = await activate(value);
      expect(products.map(({ product_id }) => product_id)).toEqual([TOOL, SKILL, BUNDLE]);
    });

    test('bulk activation of an account without products creates nothing', async () => {
      const { value } = await aKey(mount().service, await anAccount(mount().service), { device: {} });
      expect(await activate(value)).toEqual({ products: [], created: 0 });
    });

    test('bulk activation creates a new key for a product whose old key was revoked', async () => {
      const { parent } = await aSignedInDevice();
      const key = keyOf((await activate(parent.value)).products, TOOL);
      await post(mount(), `/api/products/${TOOL}/license/device/revoke`, key);
      const again = await activate(parent.value);
      expect(again.created).toBe(1);
      expect(keyOf(again.products, TOOL)).toMatch(/^svc_/);
    });
  });

  describe('the sign-out of a device', () => {
    test('a sign-out releases the slots of the device in every product, and a header tells their number', async () => {
      const { account, parent } = await aSignedInDevice();
      const other = (await aKey(mount().service, account)).value;
      for (const product_id of [TOOL, OTHER]) {
        await post(mount(), '/api/license/check', parent.value, { product_id });
        await post(mount(), '/api/license/check', other, { product_id, device_id: 'desktop' });
      }
      const reply = await post(mount(), LOGOUT, parent.value);
      expect([reply.status, reply.headers.get('x-released-slots')]).toEqual([204, '2']);
      for (const product of [TOOL, OTHER]) {
        const { body } = await get(mount(), `/api/products/${product}/license`, other);
        expect(body.device_list).toMatchObject([{ device_id: 'desktop' }]);
      }
      expect((await post(mount(), LOGOUT, other)).headers.get('x-released-slots')).toBe('0');
    });

    test('a sign-out is 204 without a body, and the next request with the key is 401', async () => {
      const { account, parent } = await aSignedInDevice();
      const other = (await aKey(mount().service, account)).value;
      const reply = await post(mount(), LOGOUT, parent.value);
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
      expect((await get(mount(), '/api/library', parent.value)).body.error).toBe('invalid_api_key');
      expect((await post(mount(), LOGOUT, parent.value)).status).toBe(401);
      expect((await get(mount(), '/api/library', other)).status).toBe(200);
    });

    test('a sign-out ends the product keys of the device, and keeps those of another device', async () => {
      const { account, parent } = await aSignedInDevice();
      const other = await aKey(mount().service, account, { device: {} });
      const [mine, theirs] = [await activate(parent.value), await activate(other.value)];
      await post(mount(), LOGOUT, parent.value);
      for (const { product_id, key } of mine.products) {
        expect((await get(mount(), `/api/products/${product_id}/releases`, key as string)).status).toBe(401);
      }
      const kept = keyOf(theirs.products, TOOL);
      expect((await get(mount(), `/api/products/${TOOL}/releases`, kept)).status).toBe(200);
    });

    test('a sign-out during a bulk activation leaves no product key alive', async () => {
      for (let wait = 0; wait < 12; wait++) {
        const { account, parent } = await aSignedInDevice();
        const activated = sleep(wait).then(() => post(mount(), ACTIVATE, parent.value));
        await Promise.all([post(mount(), LOGOUT, parent.value), activated]);
        expect([...(await liveKeys(account, TOOL)), ...(await liveKeys(account, OTHER))]).toEqual([]);
      }
    });

    test('a sign-out with a product key leaves the device signed in', async () => {
      const { parent } = await aSignedInDevice();
      const child = keyOf((await activate(parent.value)).products, TOOL);
      expect((await post(mount(), LOGOUT, child)).status).toBe(204);
      expect((await get(mount(), '/api/library', parent.value)).status).toBe(200);
    });

    test('a sign-out needs no ability', async () => {
      const { account } = await aBuyer(mount().service);
      const bare = (await aKey(mount().service, account, { abilities: [] })).value;
      expect((await post(mount(), LOGOUT, bare)).status).toBe(204);
    });

    test('each of three concurrent sign-outs of one device is 204 or 401', async () => {
      const { parent } = await aSignedInDevice();
      await activate(parent.value);
      const replies = await Promise.all([1, 2, 3].map(() => post(mount(), LOGOUT, parent.value)));
      for (const { status } of replies) expect([204, 401]).toContain(status);
    });
  });
};
