import { describe, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { aBuyer, aKey } from '../buyers.ts';
import { get, post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, TOOL } from '../shop.ts';
import { daysFromNow } from '../times.ts';

const LICENSE = `/api/products/${TOOL}/license`;
const REVOKE = `${LICENSE}/device/revoke`;

export const productLicenseSuite = (mount: () => Mount): void => {
  const check = (key: string, device_id?: string) =>
    post(mount(), '/api/license/check', key, { product_id: TOOL, device_id });

  describe('the license of a product', () => {
    test('the license of a product has its terms and its devices, the first activated first', async () => {
      const until = daysFromNow(30);
      const { key } = await aBuyer(mount().service, { access_expires_at: until });
      await check(key, 'first');
      await check(key, 'second');
      const { body } = await get(mount(), LICENSE, key);
      expect(body).toEqual({
        product: { id: TOOL, name: 'Tool', bundle_id: null },
        access_source: 'direct',
        access_expires_at: until,
        updates_supported_until: null,
        edition: null,
        features: [],
        metadata: {},
        devices: { used: 2, limit: 3 },
        device_list: [
          expect.objectContaining({ device_id: 'first' }),
          expect.objectContaining({ device_id: 'second' }),
        ],
        manage_url: `${mount().urls.account}/devices?product=${TOOL}`,
      });
    });

    test('a read of the license takes no device slot', async () => {
      const { account } = await aBuyer(mount().service);
      const { value } = await aKey(mount().service, account, { device: {} });
      await get(mount(), LICENSE, value);
      expect((await get(mount(), LICENSE, value)).body.devices).toEqual({ used: 0, limit: 3 });
    });
  });

  describe('the sign-out of a device from a product', () => {
    const aBoundKey = async (device_limit = 1) => {
      const { account, key } = await aBuyer(mount().service, { device_limit });
      const device = { device_id: 'macbook', name: 'My MacBook' };
      const bound = await aKey(mount().service, account, { product_id: TOOL, device });
      return { account, key, bound };
    };

    test('a product sign-out releases the device’s slot, and the next request with its key is 401', async () => {
      const { key, bound } = await aBoundKey();
      await check(bound.value);
      expect((await check(key, 'another')).status).toBe(409);
      const { body } = await post(mount(), REVOKE, bound.value);
      expect(body).toEqual({
        revoked: true,
        product_id: TOOL,
        key_prefix: bound.key.prefix,
        released_device_id: 'macbook',
        offline_until: null,
        message: 'This key is revoked, and its device gave back its slot of this product.',
      });
      expect((await get(mount(), LICENSE, bound.value)).body.error).toBe('invalid_api_key');
      expect((await post(mount(), REVOKE, bound.value)).status).toBe(401);
      expect((await check(key, 'another')).status).toBe(200);
    });

    test('a product sign-out works without an entitlement', async () => {
      const { account } = await aBuyer(mount().service, { product_id: NOTES });
      const bound = (await aKey(mount().service, account, { product_id: TOOL })).value;
      expect((await post(mount(), REVOKE, bound)).status).toBe(200);
    });

    test('a product sign-out frees a place in the key quota', async () => {
      const { account, bound } = await aBoundKey();
      for (let n = 0; n < 2; n++) await aKey(mount().service, account, { product_id: TOOL });
      await expect(aKey(mount().service, account, { product_id: TOOL })).rejects.toThrow(/3 live keys/);
      await post(mount(), REVOKE, bound.value);
      await expect(aKey(mount().service, account, { product_id: TOOL, abilities: ABILITIES })).resolves.toBeDefined();
    });

    test('a product sign-out releases its slot while other devices take slots', async () => {
      const { key, bound } = await aBoundKey(10);
      await check(bound.value);
      const others = ['one', 'two', 'three', 'four', 'five'];
      const [left] = await Promise.all([
        post(mount(), REVOKE, bound.value),
        ...others.map((device) => check(key, device)),
      ]);
      expect(left.body.released_device_id).toBe('macbook');
      const { device_list } = (await get(mount(), LICENSE, key)).body;
      expect(device_list.map(({ device_id }: { device_id: string }) => device_id).sort()).toEqual(others.sort());
      expect((await check(key, 'one')).body.devices.used).toBe(5);
    });

    test('two concurrent product sign-outs of one device release one slot', async () => {
      const { key, bound } = await aBoundKey(2);
      await check(bound.value);
      await check(key, 'another');
      await Promise.all([post(mount(), REVOKE, bound.value), post(mount(), REVOKE, bound.value)]);
      expect((await get(mount(), LICENSE, key)).body.devices.used).toBe(1);
      expect((await check(key, 'another')).body.devices.used).toBe(1);
    });
  });
};
