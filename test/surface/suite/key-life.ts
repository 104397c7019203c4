import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aBuyer, aKey, aLicenseKey, anAccount } from '../buyers.ts';
import { get, post } from '../client.ts';
import { message2025 } from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { NOTES, OTHER, TOOL } from '../shop.ts';

/** Tests the use, the expiry and the revocation of a key. */
export const keyLifeSuite = (mount: () => Mount): void => {
  let account: number;

  beforeAll(async () => {
    account = await anAccount(mount().service);
  });

  const lastUse = async (hash: string) => (await mount().service.get('apiKeys').find(hash))?.last_used_at;
  const statusOf = async (value: string) => (await get(mount(), '/api/library', value)).status;

  test('a revoked key is refused from the next request on, and the account’s other keys still work', async () => {
    const [kept, lost] = [await aKey(mount().service, account), await aKey(mount().service, account)];
    expect(await statusOf(lost.value)).toBe(200);
    await mount().service.get('revokeApiKey')(grantPermit(), { key_id: lost.key.id });
    expect(await statusOf(lost.value)).toBe(401);
    expect(await statusOf(kept.value)).toBe(200);
  });

  test('a request that runs during the revocation of its key is 200 or 401, and later ones are 401', async () => {
    const { value, key } = await aKey(mount().service, await anAccount(mount().service));
    const during = Array.from({ length: 10 }, () => statusOf(value));
    await mount().service.get('revokeApiKey')(grantPermit(), { key_id: key.id });
    expect(await statusOf(value)).toBe(401);
    for (const status of await Promise.all(during)) expect([200, 401]).toContain(status);
    expect(await statusOf(value)).toBe(401);
  });

  test('a license key runs its product on several devices, survives their sign-out and gives access to nothing else', async () => {
    const { service } = mount();
    const account = await anAccount(service, { entitlements: [{ product_id: TOOL }, { product_id: OTHER }] });
    const key = await aLicenseKey(service, account, TOOL);
    const check = async (device_id: string, product_id = TOOL) =>
      (await post(mount(), '/api/license/check', key, { product_id, device_id })).body;
    expect(await check('laptop')).toMatchObject({ code: 'valid', device: { device_id: 'laptop' } });
    expect((await post(mount(), '/api/cli/device/logout', key)).status).toBe(204);
    const released = await post(mount(), `/api/products/${TOOL}/license/device/revoke`, key);
    expect(released.body).toMatchObject({ revoked: false, released_device_id: null });
    expect(await check('desktop')).toMatchObject({ code: 'valid', devices: { used: 2 } });
    expect(await check('desktop', OTHER)).toMatchObject({ error: 'product_api_key_scope_required' });
    const { body } = await get(mount(), '/api/library', key);
    expect(body.items.map(({ product }: { product: { id: number } }) => product.id)).toEqual([TOOL]);
    expect((await get(mount(), `/api/products/${TOOL}/install`, key)).status).not.toBe(403);
    for (const path of ['/api/orders', '/api/invoices', '/api/payment-methods', '/api/subscriptions']) {
      expect((await get(mount(), path, key)).body).toMatchObject({ error: 'missing_api_key_ability' });
    }
    for (const path of ['/api/device/bulk-activate', '/api/mcp']) {
      expect((await post(mount(), path, key, message2025('tools/list'))).status).toBeGreaterThan(400);
    }
    expect((await get(mount(), '/api/device/entitlements', key)).body.user).toBeNull();
  });

  describe('a suspended account', () => {
    const suspend = (account_id: number, suspended: boolean) =>
      mount().service.get('suspendAccount')(grantPermit(), { account_id, suspended });
    const doors = async (value: string) => [
      await statusOf(value),
      (await get(mount(), `/api/products/${TOOL}/license`, value)).status,
      (await get(mount(), '/api/v1/entitlements/apps-subscription-check', value)).status,
      (await get(mount(), `/distribution/v1/products/${NOTES}/appcast.xml`, value)).status,
      (await post(mount(), '/api/mcp', value, message2025('tools/list'))).status,
    ];

    test('all keys of a suspended account are refused from the next request on, even new ones, and work again afterwards', async () => {
      const { service } = mount();
      const { account: id, key } = await aBuyer(service);
      const bound = (await aKey(service, id, { product_id: TOOL })).value;
      await suspend(id, true);
      const made = (await aKey(service, id)).value;
      for (const value of [key, bound, made]) expect(await doors(value)).toEqual([401, 401, 401, 401, 401]);
      expect((await get(mount(), '/api/library', key)).body).toEqual({
        message: 'This account is suspended; contact the store.',
        error: 'invalid_api_key',
      });
      await suspend(id, false);
      for (const value of [key, made]) expect(await doors(value)).toEqual([200, 200, 200, 200, 200]);
      expect(await statusOf(bound)).toBe(200);
    });

    test('licenses of a suspended account are answered as revoked without a token, and a stranger’s answer is unchanged', async () => {
      const { account: id, key } = await aBuyer(mount().service);
      const codeOf = async (product_id: number) => {
        const { status, body } = await post(mount(), '/api/license/check', key, { product_id, device_id: 'mine' });
        return [status, body.code, body.token !== null];
      };
      expect(await codeOf(TOOL)).toEqual([200, 'valid', true]);
      await suspend(id, true);
      expect(await codeOf(TOOL)).toEqual([200, 'entitlement_revoked', false]);
      expect(await codeOf(OTHER)).toEqual([200, 'not_entitled', false]);
      await suspend(id, false);
      expect(await codeOf(TOOL)).toEqual([200, 'valid', true]);
    });

    test('keys that are created during concurrent suspensions and reinstatements all match the account’s state', async () => {
      const { service } = mount();
      const { account: id, key } = await aBuyer(service);
      const made = [1, 2, 3].map((product_id) => aKey(service, id, { product_id }));
      await Promise.all([suspend(id, true), suspend(id, false), ...made, suspend(id, true)]);
      const suspended = (await service.get('accounts').get(id))?.suspended_at !== undefined;
      for (const value of [key, ...(await Promise.all(made)).map((one) => one.value)]) {
        expect(await statusOf(value)).toBe(suspended ? 401 : 200);
      }
    });
  });

  describe('the last use of a key', () => {
    test('a request that is refused with 403 updates the last use of its key', async () => {
      const { value, key } = await aKey(mount().service, await anAccount(mount().service), { abilities: [] });
      expect(await statusOf(value)).toBe(403);
      expect(await lastUse(key.hash)).toEqual(expect.any(String));
    });

    test('the list of keys shows the last use of a key', async () => {
      const owner = await anAccount(mount().service);
      const { value } = await aKey(mount().service, owner);
      await statusOf(value);
      const listed = await mount().service.get('listApiKeys')({ account_id: owner });
      expect(listed).toMatchObject({ ok: true, value: [{ last_used_at: expect.any(String) }] });
    });
  });
};
