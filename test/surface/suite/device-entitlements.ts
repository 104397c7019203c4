import { describe, expect, test } from 'vitest';
import { aBuyer, aKey, anAccount } from '../buyers.ts';
import { get, post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { BUNDLE, NOTES, OTHER, RETIRED, SKILL, TOOL } from '../shop.ts';
import { daysAgo, daysFromNow } from '../times.ts';

const PATH = '/api/device/entitlements';

export const deviceEntitlementsSuite = (mount: () => Mount): void => {
  describe('the entitlements of a device', () => {
    test('the device entitlements list the account’s products with their source and expiry', async () => {
      const until = daysFromNow(30);
      const account = await anAccount(mount().service, {
        entitlements: [
          { product_id: TOOL, access_expires_at: until },
          { product_id: OTHER, revoked_at: daysAgo(1) },
        ],
        subscriptions: [{ product_ids: [NOTES], ends_at: until }],
      });
      const { body } = await get(mount(), PATH, (await aKey(mount().service, account)).value);
      expect(body.products).toEqual([
        {
          id: TOOL,
          name: 'Tool',
          type: 'app',
          access_source: 'direct',
          has_device_key: false,
          license_key_prefix: null,
          access_expires_at: until,
          updates_supported_until: null,
        },
        expect.objectContaining({ id: NOTES, access_source: 'subscription', access_expires_at: until }),
      ]);
    });

    test('the device entitlements name the account, and no device for a key made by a person', async () => {
      const { account, key } = await aBuyer(mount().service);
      const { body } = await get(mount(), PATH, key);
      expect(body.user).toEqual({ id: account, email: `buyer-${account}@example.com`, name: 'Buyer' });
      expect(body.device).toEqual({ id: null, name: null, activated_at: null });
    });

    test('the device entitlements of a device key name the device and its product keys', async () => {
      const { account } = await aBuyer(mount().service);
      const { value, key } = await aKey(mount().service, account, { device: { name: 'My MacBook' } });
      const activated = await post(mount(), '/api/device/bulk-activate', value);
      const { body } = await get(mount(), PATH, value);
      expect(body.device).toEqual({ id: key.id, name: 'My MacBook', activated_at: key.created_at });
      expect(body.products[0]).toMatchObject({
        has_device_key: true,
        license_key_prefix: activated.body.products[0].key_prefix,
      });
    });

    test('the device entitlements omit the product keys of other devices', async () => {
      const { account } = await aBuyer(mount().service);
      const [first, second] = [
        await aKey(mount().service, account, { device: {} }),
        await aKey(mount().service, account, { device: {} }),
      ];
      await post(mount(), '/api/device/bulk-activate', first.value);
      const { body } = await get(mount(), PATH, second.value);
      expect(body.products[0]).toMatchObject({ has_device_key: false, license_key_prefix: null });
    });
  });

  describe('the list of bundles on sale', () => {
    const bundles = async (key: string) => (await get(mount(), '/api/bundles', key)).body.bundles;
    const open = { id: 1, product_id: BUNDLE, name: 'Bundle', product_ids: [SKILL, TOOL], entitled: false };
    const half = { id: 3, product_id: RETIRED, name: 'Half hidden', product_ids: [NOTES], entitled: false };

    test('a bundle on sale names its products and whether the account owns it', async () => {
      const owner = await aBuyer(mount().service, { product_id: BUNDLE });
      expect(await bundles(owner.key)).toEqual([{ ...open, entitled: true }, half]);
      expect(await bundles((await aBuyer(mount().service)).key)).toEqual([open, half]);
    });
  });
};
