import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { DEVICES_LISTED, type Device } from '../../domain/devices/device.ts';
import type { Devices } from '../../ports/outbound/devices.ts';

const PERMIT = grantPermit();
const NOW = '2026-11-21T08:00:00.000Z';

const aDevice = (device_id: string, activated_at = NOW): Device => ({
  device_id,
  name: null,
  activated_at,
  last_seen_at: activated_at,
  revoked_at: null,
});

/** Ids in an order that no store sorts them in, with one that is too strange for a key. */
const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => (n === 1 ? `strange ✓ ${n}` : `device-${(n * 37) % 1000}`));

/**
 * Registers the tests that every implementation of Devices has to pass for its lists. `open` gives an empty one; it is
 * called before each test.
 */
export const devicesContract = (name: string, open: () => Promise<Devices> | Devices): void => {
  describe(`${name} as devices`, { timeout: 60_000 }, () => {
    let devices: Devices;
    beforeEach(async () => {
      devices = await open();
    });

    const activate = async (ids: readonly string[], product = 1, account = 7): Promise<void> => {
      for (const [n, id] of ids.entries()) {
        const { slots } = await devices.find(account, product, null);
        const activated_at = new Date(Date.parse(NOW) + n * 1000).toISOString();
        expect(await devices.activate(PERMIT, account, product, aDevice(id, activated_at), slots)).toBe(true);
      }
    };
    const walk = async (limit: number, product = 1): Promise<string[][]> => {
      const pages: string[][] = [];
      for (let after: string | null = null, more = true; more; more = after !== null) {
        const page = await devices.page(7, product, { limit, after });
        pages.push(page.devices.map(({ device_id }) => device_id));
        after = page.next;
      }
      return pages;
    };

    test('a list of up to 100 devices has all of them, first activated first', async () => {
      const ids = idsOf(5);
      await activate(ids);
      expect((await devices.list(7, 1)).map(({ device_id }) => device_id)).toEqual(ids);
    });

    test('a list of more devices has 100 of them, and the number of all is known', async () => {
      const ids = idsOf(DEVICES_LISTED + 3);
      await activate(ids);
      const list = await devices.list(7, 1);
      expect(list).toHaveLength(DEVICES_LISTED);
      expect(new Set(list.map(({ device_id }) => device_id)).size).toBe(DEVICES_LISTED);
      expect((await devices.find(7, 1, null)).slots.used).toBe(DEVICES_LISTED + 3);
    });

    test.each([1, 2, 3, 4, 7, 8])('pages of %i of seven devices have each device once', async (limit) => {
      const ids = idsOf(7);
      await activate(ids);
      await activate(['elsewhere'], 2);
      const pages = await walk(limit);
      expect(pages.flat().sort()).toEqual([...ids].sort());
      expect(pages).toHaveLength(Math.ceil(7 / limit));
    });

    test('a page goes on behind a device that was released meanwhile', async () => {
      await activate(['a', 'b', 'c', 'd']);
      const { next } = await devices.page(7, 1, { limit: 2, after: null });
      await devices.release(PERMIT, 7, 1, next as string);
      const page = await devices.page(7, 1, { limit: 2, after: next });
      expect(page).toMatchObject({ devices: [{ device_id: 'c' }, { device_id: 'd' }], next: null });
    });

    test('a product without devices has an empty page', async () => {
      expect(await devices.page(7, 1, { limit: 2, after: null })).toEqual({ devices: [], next: null });
      expect(await devices.page(7, 1, { limit: 2, after: 'nobody' })).toEqual({ devices: [], next: null });
    });

    test('the slots in use are counted by product, for the account alone', async () => {
      await activate(['a', 'b'], 1);
      await activate(['a'], 12);
      await activate(['a'], 3, 8);
      expect([...(await devices.used(7))].sort(([a], [b]) => a - b)).toEqual([
        [1, 2],
        [12, 1],
      ]);
      await devices.release(PERMIT, 7, 12, 'a');
      expect((await devices.used(7)).get(12)).toBe(0);
    });
  });
};
