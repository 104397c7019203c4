import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { DEVICES_LISTED } from '../../../domain/devices/seat.ts';
import type { Devices } from '../../../ports/outbound/devices.ts';
import { ACCOUNT, activateAll, NOW, type Use } from './helpers.ts';

/** Ids in an order in which no store sorts them, including one that is too unusual for a key. */
const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => (n === 1 ? `strange ✓ ${n}` : `device-${(n * 37) % 1000}`));

/** The ids on each page of an account's devices for a product. */
const walk = async (devices: Devices, limit: number, product = 1): Promise<string[][]> => {
  const pages: string[][] = [];
  for (let after: string | null = null, more = true; more; more = after !== null) {
    const page = await devices.page(ACCOUNT, product, { limit, after });
    pages.push(page.devices.map(({ device_id }) => device_id));
    after = page.next;
  }
  return pages;
};

export const lists = (use: Use): void => {
  test('a list of up to 100 devices has all of them, first activated first', async () => {
    const ids = idsOf(5);
    await activateAll(use(), ids);
    expect((await use().list(ACCOUNT, 1)).map(({ device_id }) => device_id)).toEqual(ids);
  });

  test('a longer list of devices has 100 of them and the total number', async () => {
    const ids = idsOf(DEVICES_LISTED + 3);
    await activateAll(use(), ids);
    const list = await use().list(ACCOUNT, 1);
    expect(list).toHaveLength(DEVICES_LISTED);
    expect(new Set(list.map(({ device_id }) => device_id)).size).toBe(DEVICES_LISTED);
    const moments = list.map(({ activated_at }) => activated_at);
    expect(moments).toEqual([...moments].sort());
    expect(await use().list(ACCOUNT, 1)).toEqual(list);
    expect((await use().find(ACCOUNT, 1, null)).slots.used).toBe(DEVICES_LISTED + 3);
  });

  test.each([1, 2, 3, 4, 7, 8])('pages of %i of seven devices have each device once', async (limit) => {
    const ids = idsOf(7);
    await activateAll(use(), ids);
    await activateAll(use(), ['elsewhere'], 2);
    const pages = await walk(use(), limit);
    expect(pages.flat().sort()).toEqual([...ids].sort());
    expect(pages).toHaveLength(Math.ceil(7 / limit));
  });

  test('the devices of a page are complete, first activated first', async () => {
    const ids = idsOf(7);
    await activateAll(use(), ids);
    for (const limit of [3, 7]) {
      const { devices } = await use().page(ACCOUNT, 1, { limit, after: null });
      expect(devices.map(({ device_id }) => device_id)).toEqual(
        ids.filter((id) => devices.some((one) => one.device_id === id)),
      );
      for (const device of devices) expect((await use().find(ACCOUNT, 1, device.device_id)).device).toEqual(device);
    }
  });

  test('a page continues after a device that was released meanwhile', async () => {
    await activateAll(use(), ['a', 'b', 'c', 'd']);
    const { next } = await use().page(ACCOUNT, 1, { limit: 2, after: null });
    await use().release(grantPermit(), ACCOUNT, 1, next as string, { now: NOW });
    const page = await use().page(ACCOUNT, 1, { limit: 2, after: next });
    expect(page).toMatchObject({ devices: [{ device_id: 'c' }, { device_id: 'd' }], next: null });
  });

  test('a product without devices has an empty page', async () => {
    expect(await use().page(ACCOUNT, 1, { limit: 2, after: null })).toEqual({ devices: [], next: null });
    expect(await use().page(ACCOUNT, 1, { limit: 2, after: 'nobody' })).toEqual({ devices: [], next: null });
  });

  test('the slots in use are counted by product, for the account only', async () => {
    await activateAll(use(), ['a', 'b'], 1);
    await activateAll(use(), ['a'], 12);
    await activateAll(use(), ['a'], 3, 8);
    const used = [...(await use().used(ACCOUNT))].map(([product, slots]) => [product, slots.used] as const);
    expect(used.sort(([a], [b]) => a - b)).toEqual([
      [1, 2],
      [12, 1],
    ]);
    await use().release(grantPermit(), ACCOUNT, 12, 'a', { now: NOW });
    expect((await use().used(ACCOUNT)).get(12)?.used).toBe(0);
  });
};
