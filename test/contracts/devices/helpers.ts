import { expect } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Device } from '../../../domain/devices/seat.ts';
import type { Devices } from '../../../ports/outbound/devices.ts';

/** The devices under test, initially empty. */
export type Use = () => Devices;

export const ACCOUNT = 7;
export const PRODUCT = 1;
export const NOW = '2026-11-21T08:00:00.000Z';
export const LATER = '2026-11-22T09:30:00.000Z';

export const aDevice = (device_id: string, activated_at = NOW): Device => ({
  device_id,
  name: null,
  activated_at,
  last_seen_at: activated_at,
  revoked_at: null,
});

export const slotsOf = async (devices: Devices, product = PRODUCT, account = ACCOUNT) =>
  (await devices.find(account, product, null)).slots;

/** Activates devices one after the other, a second apart. */
export const activateAll = async (
  devices: Devices,
  ids: readonly string[],
  product = PRODUCT,
  account = ACCOUNT,
): Promise<void> => {
  for (const [n, id] of ids.entries()) {
    const slots = await slotsOf(devices, product, account);
    const activated_at = new Date(Date.parse(NOW) + n * 1000).toISOString();
    expect(await devices.activate(grantPermit(), account, product, aDevice(id, activated_at), slots)).toBe(true);
  }
};

/** The ids of the devices that hold a slot, sorted. */
export const idsOf = async (devices: Devices, product = PRODUCT, account = ACCOUNT): Promise<string[]> =>
  (await devices.list(account, product)).map(({ device_id }) => device_id).sort();
