import { describe, expect, test, vi } from 'vitest';
import { deviceKeys } from '../../../adapters/store/keys/devices.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { type Device, MOST_DEVICES } from '../../../domain/devices/seat.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import type { ReadSlots } from '../../../ports/outbound/devices.ts';
import { aDevice, NOW } from '../../support/builders.ts';
import { aLicenseStore } from '../../support/license-store.ts';

const NEXT_DAY = addDays(NOW, 1);

type Found = { device: Device | undefined; slots: ReadSlots };
type Seating = { limit?: number | null; at?: Instant; found?: Found };

/**
 * A store without devices, a function that reads the slots, and one that seats a device on slots read earlier or now.
 */
const aSlotStore = async () => {
  const { store, seated } = await aLicenseStore();
  const find = (device_id: string): Promise<Found> => store.get('devices').find(1, 1, device_id);
  const seat = async (device_id: string, { limit = 2, at = NOW, ...read }: Seating = {}) => {
    const newcomer = aDevice({ device_id, activated_at: at, last_seen_at: at });
    const found = read.found ?? (await find(device_id));
    return store.get('seatDevice')(grantPermit(), {
      account_id: 1,
      product_id: 1,
      limit,
      newcomer,
      found,
      withdrawn: [],
    });
  };
  return { store, seated, find, seat };
};

describe('the slot of a device', () => {
  test('a new device takes a free slot', async () => {
    const { seat, seated } = await aSlotStore();
    expect(await seat('laptop')).toMatchObject({ ok: true, value: { step: 'take', used: 1 } });
    expect(await seated()).toEqual(['laptop']);
  });

  test('a device beyond the limit is refused, and without a limit every device passes', async () => {
    const { seat, seated } = await aSlotStore();
    for (const device of ['laptop', 'phone']) await seat(device);
    expect(await seat('tablet')).toMatchObject({ ok: false, code: 'device_limit_reached' });
    expect(await seat('tablet', { limit: null })).toMatchObject({ ok: true, value: { used: 3 } });
    expect(await seated()).toEqual(['laptop', 'phone', 'tablet']);
  });

  test('a product without a limit accepts 100,000 devices and refuses the next one with that number', async () => {
    const { store, seat, find } = await aSlotStore();
    const full = itemOf(deviceKeys.slots(1, 1), { used: MOST_DEVICES - 1 });
    await store.get('table').put(full);
    expect(await seat('last', { limit: null })).toMatchObject({ value: { step: 'take', used: MOST_DEVICES } });
    expect(await seat('one-more', { limit: null })).toMatchObject({
      code: 'device_limit_reached',
      message: 'All 100000 devices are in use; release one, then check again.',
      data: { device_limit: 100_000, devices: [{ device_id: 'last' }] },
    });
    expect((await find('one-more')).device).toBeUndefined();
  });

  test('a refusal lists at most 100 devices', async () => {
    const { seat } = await aSlotStore();
    for (let n = 0; n < 105; n++) await seat(`device-${n}`, { limit: null });
    const refused = await seat('one-more', { limit: 105 });
    expect(refused).toMatchObject({ code: 'device_limit_reached' });
    expect(!refused.ok && refused.data?.['devices']).toHaveLength(100);
  });

  test('a limit of zero devices refuses the first one', async () => {
    const { seat, seated } = await aSlotStore();
    expect(await seat('laptop', { limit: 0 })).toMatchObject({ code: 'device_limit_reached', data: { devices: [] } });
    expect(await seated()).toEqual([]);
  });

  test('a device with a slot is written once a day and keeps its day of activation', async () => {
    const { store, seat, find } = await aSlotStore();
    await seat('laptop');
    const before = await store.entries();
    expect(await seat('laptop', { at: '2026-11-21T23:59:59.999Z' })).toMatchObject({ value: { step: 'keep' } });
    expect(await store.entries()).toEqual(before);
    expect(await seat('laptop', { at: NEXT_DAY, limit: 0 })).toMatchObject({ value: { step: 'touch', used: 1 } });
    expect((await find('laptop')).device).toMatchObject({ activated_at: NOW, last_seen_at: NEXT_DAY });
  });

  test('a device is checked again if another one took the last slot meanwhile', async () => {
    const { seat, seated, find } = await aSlotStore();
    await seat('laptop');
    const found = await find('tablet');
    await seat('phone');
    expect(await seat('tablet', { found })).toMatchObject({ code: 'device_limit_reached' });
    expect(await seated()).toEqual(['laptop', 'phone']);
  });

  test('simultaneous devices take their slots without using up each other’s retries', async () => {
    const { store, seat, seated, find } = await aSlotStore();
    const found = await find('none');
    const attempts = vi.spyOn(store.get('devices'), 'activate');
    const ids = Array.from({ length: 8 }, (_, n) => `device-${n}`);
    await Promise.all(ids.map((id) => seat(id, { limit: 8, found })));
    expect(await seated()).toEqual(ids);
    expect(attempts).toHaveBeenCalledTimes(8);
  });

  test('a device that got the last slot meanwhile is not refused', async () => {
    const { seat, find } = await aSlotStore();
    const before = await find('laptop');
    await seat('laptop', { limit: 1 });
    const found = { device: before.device, slots: (await find('laptop')).slots };
    expect(await seat('laptop', { limit: 1, found })).toMatchObject({
      value: { step: 'keep' },
    });
  });
});
