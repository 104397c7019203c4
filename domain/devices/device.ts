import type { Instant } from '../shared/instant.ts';

/** A device that holds one of an account's slots for a product. */
export type Device = {
  /** The client's own name for the device, at most 255 characters. */
  readonly device_id: string;
  readonly name: string | null;
  readonly activated_at: Instant;
  /** Exact to the day, because it is written at most once a day. */
  readonly last_seen_at: Instant;
  readonly revoked_at: Instant | null;
};

/** True where the device was not recorded as seen today (UTC). */
export const isUnseenToday = (device: Device, now: Instant): boolean =>
  device.last_seen_at.slice(0, 10) < now.slice(0, 10);

/** The most devices of an account for a product without a limit, so that one key can't fill the store. */
export const MOST_DEVICES = 100_000;

/** The most devices in one answer. An account's pages show the others. */
export const DEVICES_LISTED = 100;

/** The number of devices that a limit allows; null is no limit. */
export const devicesAllowed = (limit: number | null): number => limit ?? MOST_DEVICES;

/**
 * True where a device without a slot may take one. `used` is the number of taken slots; a null `limit` is no limit,
 * which allows 100,000 devices. A device that holds a slot keeps it, even where the limit was lowered since.
 */
export const hasFreeSlot = (used: number, limit: number | null): boolean => used < devicesAllowed(limit);
