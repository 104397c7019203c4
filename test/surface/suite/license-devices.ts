import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { REFUSAL_DATA } from '../../../ports/inbound/refusal-data.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get, post, type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { TOOL } from '../shop.ts';

export const licenseDevicesSuite = (mount: () => Mount): void => {
  const check = ({ key }: Buyer, device_id?: string | null, product_id = TOOL): Promise<Reply> =>
    post(mount(), '/api/license/check', key, { product_id, device_id });
  const devicesOf = async ({ key }: Buyer) =>
    (await get(mount(), `/api/products/${TOOL}/license`, key)).body.device_list.map(
      ({ device_id }: { device_id: string }) => device_id,
    );
  const aBuyerOf = (device_limit: number): Promise<Buyer> => aBuyer(mount().service, { device_limit });

  test('a new device takes a slot, and the response describes the device and the slots', async () => {
    const buyer = await aBuyerOf(2);
    const { body } = await check(buyer, 'first');
    expect(body.devices).toEqual({ used: 1, limit: 2 });
    expect(body.device).toEqual({
      device_id: 'first',
      name: null,
      activated_at: body.checked_at,
      last_seen_at: body.checked_at,
      offline_until: null,
      released_at: null,
      shared_at: null,
    });
    const manage_url = `${mount().urls.account}/devices?product=${TOOL}`;
    expect(body).toMatchObject({ devices_used: 1, device_limit: 2, manage_url });
  });

  test('concurrent checks of one device for the last slot all succeed', async () => {
    // The requests start half a millisecond apart, so that one of them reads while the first one takes the slot.
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

  test('device ids that differ in case or spaces are different devices', async () => {
    const buyer = await aBuyerOf(10);
    const names = ['a', 'A', ' a', 'a ', 'ä', '기기', '😀', 'x'.repeat(255)];
    for (const name of names) expect((await check(buyer, name)).body.device.device_id).toBe(name);
    expect((await devicesOf(buyer)).sort()).toEqual([...names].sort());
  });

  test('a device over the limit is 409, with the devices in use and the URL to release one', async () => {
    const buyer = await aBuyerOf(2);
    await check(buyer, 'first');
    await check(buyer, 'second');
    const { status, body } = await check(buyer, 'third');
    expect(status).toBe(409);
    expect(REFUSAL_DATA.device_limit_reached?.().parse(body)).toEqual(body);
    expect(body).toEqual({
      message: expect.any(String),
      code: 'device_limit_reached',
      device: null,
      devices_used: 2,
      device_limit: 2,
      devices: [expect.objectContaining({ device_id: 'first' }), expect.objectContaining({ device_id: 'second' })],
      manage_url: `${mount().urls.account}/devices?product=${TOOL}`,
    });
    expect(await devicesOf(buyer)).toEqual(['first', 'second']);
  });

  test('the 409 of a device over the limit names the language of its message in Content-Language', async () => {
    const buyer = await aBuyerOf(1);
    await check(buyer, 'first');
    const refused = async (language: string) => {
      const json = { product_id: TOOL, device_id: 'second' };
      const sent = { key: buyer.key, json, headers: { 'Accept-Language': language } };
      const { body, headers } = await send(mount(), 'POST', '/api/license/check', sent);
      return [headers.get('content-language'), /[가-힣]/.test(body.message)];
    };
    expect([await refused('ko'), await refused('en')]).toEqual([
      ['ko', true],
      ['en', false],
    ]);
  });

  test('5 of 20 concurrent new devices pass a limit of 5', async () => {
    const buyer = await aBuyerOf(5);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => check(buyer, `device-${n}`)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(409)]);
    const admitted = replies.filter(({ status }) => status === 200).map(({ body }) => body.device.device_id);
    expect((await devicesOf(buyer)).sort()).toEqual(admitted.sort());
    expect((await check(buyer, admitted[0])).body.devices).toEqual({ used: 5, limit: 5 });
  });
};
