import { describe, expect, test } from 'vitest';
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
  });
};
