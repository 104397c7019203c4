import { beforeAll, expect, test } from 'vitest';
import { aBuyer, aKey, aStranger, type Buyer } from '../buyers.ts';
import { seatReleased } from '../callers.ts';
import { get, post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { callEndpoint, OF_A_PRODUCT, SCOPED } from '../requests.ts';
import { RETIRED, SECRET, UNKNOWN } from '../shop.ts';
import { dayFromNow, daysFromNow } from '../times.ts';

const NOT_SCOPED = OF_A_PRODUCT.filter((endpoint) => !SCOPED.includes(endpoint));

/** Tests that an account without access can't tell an unpublished product from an unknown one. */
export const unpublishedSuite = (mount: () => Mount): void => {
  let owner: Buyer;
  let stranger: Buyer;

  beforeAll(async () => {
    owner = await aBuyer(mount().service, { product_id: SECRET });
    stranger = await aStranger(mount().service);
  });

  test.each(
    NOT_SCOPED,
  )('$method $path gives a stranger the same response for an unpublished and an unknown product', async (endpoint) => {
    const unknown = await callEndpoint(mount(), endpoint, { key: stranger.key, product: UNKNOWN });
    const hidden = await callEndpoint(mount(), endpoint, { key: stranger.key, product: SECRET });
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
  });

  test.each(NOT_SCOPED)('$method $path answers the owner of an unpublished product with 200', async (endpoint) => {
    await seatReleased(mount().service, endpoint, owner.account, SECRET);
    const reply = await callEndpoint(mount(), endpoint, { key: owner.key, product: SECRET });
    expect(reply.status).toBe(200);
  });

  test('the owner of an unpublished product can sign a device out of it', async () => {
    const key = (await aKey(mount().service, owner.account, { product_id: SECRET })).value;
    const reply = await post(mount(), `/api/products/${SECRET}/license/device/revoke`, key);
    expect(reply.status).toBe(200);
  });

  test.each([
    ['access_expired', { access_expires_at: daysFromNow(-1) }],
    ['entitlement_revoked', { revoked_at: daysFromNow(-1) }],
  ] as const)('a buyer of an unpublished product gets %s, and its own key signs out', async (code, ended) => {
    for (const product_id of [SECRET, RETIRED]) {
      const buyer = await aBuyer(mount().service, { product_id, ...ended });
      const own = (await aKey(mount().service, buyer.account, { product_id, device: {} })).value;
      for (const key of [buyer.key, own]) {
        const { status, body } = await post(mount(), '/api/license/check', key, { product_id, device_id: 'a' });
        expect([status, body.valid, body.code, body.token]).toEqual([200, false, code, null]);
      }
      const revoke = (key: string) => post(mount(), `/api/products/${product_id}/license/device/revoke`, key);
      expect((await revoke(own)).body.revoked).toBe(true);
      expect((await revoke(own)).status).toBe(401);
      expect((await revoke(buyer.key)).body.error).toBe('product_api_key_scope_required');
    }
  });

  test('a former owner of an unpublished product finds it only by the license check', async () => {
    const former = await aBuyer(mount().service, { product_id: SECRET, access_expires_at: daysFromNow(-1) });
    for (const endpoint of NOT_SCOPED) {
      expect((await callEndpoint(mount(), endpoint, { key: former.key, product: SECRET })).status).toBe(404);
    }
  });

  test('a license check gives a stranger the same response for an unpublished and an unknown product, by id and by bundle id', async () => {
    const check = (json: object, { key }: Buyer) => post(mount(), '/api/license/check', key, json);
    const unknown = await check({ product_id: UNKNOWN }, stranger);
    expect(unknown.status).toBe(404);
    for (const question of [
      { product_id: SECRET },
      { bundle_id: 'com.example.secret' },
      { bundle_id: 'com.example.unknown' },
      { product_id: SECRET, bundle_id: 'com.example.notes' },
      { product_id: SECRET, device_id: 'a', app_version: '1' },
    ]) {
      expect((await check(question, stranger)).text).toBe(unknown.text);
    }
    expect((await check({ bundle_id: 'com.example.secret' }, owner)).body.valid).toBe(true);
  });

  test('an install record gives a stranger the same response for an unpublished and an unknown product', async () => {
    const record = (product_id: number, { key }: Buyer) =>
      post(mount(), '/api/device/installs', key, { product_id, version: '1' });
    const [unknown, hidden] = [await record(UNKNOWN, stranger), await record(SECRET, stranger)];
    expect([hidden.status, hidden.text]).toEqual([422, unknown.text]);
    expect((await record(SECRET, owner)).status).toBe(201);
  });

  test('a usage upload gives a stranger the same response for an unpublished and an unknown product', async () => {
    const upload = (product_id: number) =>
      post(mount(), '/api/device/usage', stranger.key, {
        consent: true,
        days: [{ product_id, usage_date: dayFromNow(0), launches: 1 }],
      });
    const [unknown, hidden] = [await upload(UNKNOWN), await upload(SECRET)];
    expect([hidden.status, hidden.text]).toEqual([422, unknown.text]);
  });

  test('an unpublished product is in its owner’s library and in no stranger’s list', async () => {
    for (const path of ['/api/library', '/api/products', '/api/products?q=secret', '/api/device/entitlements']) {
      expect((await get(mount(), path, stranger.key)).text).not.toMatch(/secret/i);
    }
    const library = await get(mount(), '/api/library', owner.key);
    expect(library.body.items.map((item: { product: { id: number } }) => item.product.id)).toEqual([SECRET]);
  });
};
