import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DeviceLimitData } from '../../../ports/inbound/schemas/licensing.ts';
import { aBuyer, aKey, type Buyer, grant } from '../buyers.ts';
import { get, post, type Reply } from '../client.ts';
import type { Mount } from '../mount.ts';
import { OTHER, TOOL } from '../shop.ts';

export const licenseDevicesSuite = (mount: () => Mount): void => {
  const check = ({ key }: Buyer, device_id?: string | null, product_id = TOOL): Promise<Reply> =>
    post(mount(), '/api/license/check', key, { product_id, device_id });
  const devicesOf = async ({ key }: Buyer) =>
    (await get(mount(), `/api/products/${TOOL}/license`, key)).body.device_list.map(
      ({ device_id }: { device_id: string }) => device_id,
    );
  const aBuyerOf = (device_limit: number): Promise<Buyer> => aBuyer(mount().service, { device_limit });

  test('a new device takes a slot and is told what it holds', async () => {
    const buyer = await aBuyerOf(2);
    const { body } = await check(buyer, 'first');
    expect(body.devices).toEqual({ used: 1, limit: 2 });
    expect(body.device).toEqual({
      device_id: 'first',
      name: null,
      activated_at: body.checked_at,
      last_seen_at: body.checked_at,
    });
  });

  test('the same device takes one slot, however often and however much at once', async () => {
    const buyer = await aBuyerOf(2);
    const replies = await Promise.all(Array.from({ length: 10 }, () => check(buyer, 'same')));
    expect(replies.map(({ body }) => body.valid)).toEqual(Array.from({ length: 10 }, () => true));
    expect((await check(buyer, 'same')).body.devices.used).toBe(1);
    expect(await devicesOf(buyer)).toEqual(['same']);
  });

  test('the same device takes the last slot, and is never told that it is taken', async () => {
    // One after another begins while the first takes the slot, so that one of them reads in the middle of that.
    const begun = async (buyer: Buyer, n: number) => {
      await sleep(n / 2);
      return check(buyer, 'same');
    };
    for (let round = 0; round < 5; round++) {
      const buyer = await aBuyerOf(1);
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => begun(buyer, n)));
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      expect(await devicesOf(buyer)).toEqual(['same']);
    }
  });

  test('names that differ in case, blanks or length are different devices', async () => {
    const buyer = await aBuyerOf(10);
    const names = ['a', 'A', ' a', 'a ', 'ä', 'a\u0308', '\u0000', '기기', '😀', 'x'.repeat(255)];
    for (const name of names) expect((await check(buyer, name)).body.device.device_id).toBe(name);
    expect((await devicesOf(buyer)).sort()).toEqual([...names].sort());
  });

  test('one device more than the limit is 409 with the devices in use and where to release one', async () => {
    const buyer = await aBuyerOf(2);
    await check(buyer, 'first');
    await check(buyer, 'second');
    const { status, body } = await check(buyer, 'third');
    expect(status).toBe(409);
    expect(DeviceLimitData.parse(body)).toEqual(body);
    expect(body).toEqual({
      message: expect.any(String),
      code: 'device_limit_reached',
      device_limit: 2,
      devices: [expect.objectContaining({ device_id: 'first' }), expect.objectContaining({ device_id: 'second' })],
      manage_url: `${mount().urls.account}/devices?product=${TOOL}`,
    });
    expect(await devicesOf(buyer)).toEqual(['first', 'second']);
  });

  test('a known device passes on when the limit is reached', async () => {
    const buyer = await aBuyerOf(1);
    await check(buyer, 'first');
    expect((await check(buyer, 'second')).status).toBe(409);
    expect((await check(buyer, 'first')).body).toMatchObject({ valid: true, devices: { used: 1, limit: 1 } });
  });

  test('known devices pass on when the limit was lowered below their number, and no new one does', async () => {
    const buyer = await aBuyerOf(3);
    for (const device of ['one', 'two', 'three']) await check(buyer, device);
    await grant(mount().service, buyer.account, { device_limit: 1 });
    for (const device of ['one', 'two', 'three']) {
      expect((await check(buyer, device)).body).toMatchObject({ valid: true, devices: { used: 3, limit: 1 } });
    }
    expect((await check(buyer, 'four')).body).toMatchObject({ device_limit: 1, devices: { length: 3 } });
  });

  test('a released slot can be taken by another', async () => {
    const buyer = await aBuyerOf(1);
    await check(buyer, 'first');
    await mount().service.get('devices').release(buyer.account, TOOL, 'first');
    expect((await check(buyer, 'second')).body.devices).toEqual({ used: 1, limit: 1 });
    expect((await check(buyer, 'first')).status).toBe(409);
  });

  test('of 20 new devices at once against a limit of 5 exactly 5 get in', async () => {
    const buyer = await aBuyerOf(5);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => check(buyer, `device-${n}`)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(409)]);
    const admitted = replies.filter(({ status }) => status === 200).map(({ body }) => body.device.device_id);
    expect((await devicesOf(buyer)).sort()).toEqual(admitted.sort());
    expect((await check(buyer, admitted[0])).body.devices).toEqual({ used: 5, limit: 5 });
  });

  test('a limit of none lets no device in, and the license is valid without one', async () => {
    const buyer = await aBuyerOf(0);
    expect((await check(buyer, 'first')).body).toMatchObject({ device_limit: 0, devices: [] });
    expect((await check(buyer)).body.valid).toBe(true);
  });

  test('a product without a limit takes any number', async () => {
    const buyer = await aBuyer(mount().service, { product_id: OTHER });
    for (const device of ['one', 'two', 'three', 'four']) {
      expect((await check(buyer, device, OTHER)).body.devices.limit).toBeNull();
    }
  });

  test('each unit that was bought brings its own devices', async () => {
    const buyer = await aBuyer(mount().service, { device_limit: 2, source_quantity: 3 });
    expect((await check(buyer, 'first')).body.devices).toEqual({ used: 1, limit: 6 });
  });

  test('devices of one account or product count for no other', async () => {
    const buyer = await aBuyer(mount().service, { device_limit: 1 });
    await grant(mount().service, buyer.account, { id: 2, product_id: OTHER, device_limit: 1 });
    await check(buyer, 'first');
    expect((await check(buyer, 'second', OTHER)).status).toBe(200);
    expect((await check(await aBuyerOf(1), 'second')).status).toBe(200);
  });

  describe('without a device id', () => {
    test('a key of no device takes no slot', async () => {
      const buyer = await aBuyerOf(1);
      for (const none of [undefined, null, '']) {
        const { body } = await check(buyer, none);
        expect(body).toMatchObject({ valid: true, device: null, devices: { used: 0, limit: 1 } });
      }
      expect(await devicesOf(buyer)).toEqual([]);
    });

    test('a device key counts as its own device, with the name it signed in under', async () => {
      const buyer = await aBuyerOf(1);
      const device = { device_id: 'macbook', name: 'My MacBook' };
      const key = (await aKey(mount().service, buyer.account, { device })).value;
      expect((await check({ ...buyer, key })).body.device).toMatchObject(device);
      expect((await check({ ...buyer, key })).body.devices.used).toBe(1);
      expect((await check({ ...buyer, key }, 'another')).status).toBe(409);
    });
  });

  test('the same device may be asked for by several keys of the account', async () => {
    const buyer = await aBuyerOf(1);
    const second = { ...buyer, key: (await aKey(mount().service, buyer.account)).value };
    await check(buyer, 'shared');
    expect((await check(second, 'shared')).body.devices.used).toBe(1);
  });
};
