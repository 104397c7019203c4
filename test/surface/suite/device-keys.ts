import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { CHANGES_BY_KEYS } from '../../../domain/audit/bounds.ts';
import { aBuyer, aKey, anAccount, type MadeKey } from '../buyers.ts';
import { get, post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { OTHER, TOOL } from '../shop.ts';
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

    test('concurrent bulk activations of one device create each product key once', async () => {
      const { account, parent } = await aSignedInDevice();
      const replies = await Promise.all(Array.from({ length: 6 }, () => activate(parent.value)));
      expect(replies.reduce((sum, { created }) => sum + created, 0)).toBe(2);
      for (const product of [TOOL, OTHER]) {
        expect(await liveKeys(account, product)).toHaveLength(1);
        expect(replies.filter(({ products }) => keyOf(products, product) !== null)).toHaveLength(1);
      }
    });

    test('an account at its daily limit of changes can activate nothing until midnight, but can sign out', async () => {
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
  });

  describe('the sign-out of a device', () => {
    test('a sign-out releases the device’s slots in every product and reports their number in a header', async () => {
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

    test('a sign-out during a bulk activation leaves no product key alive', async () => {
      for (let wait = 0; wait < 12; wait++) {
        const { account, parent } = await aSignedInDevice();
        const activated = sleep(wait).then(() => post(mount(), ACTIVATE, parent.value));
        await Promise.all([post(mount(), LOGOUT, parent.value), activated]);
        expect([...(await liveKeys(account, TOOL)), ...(await liveKeys(account, OTHER))]).toEqual([]);
      }
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
