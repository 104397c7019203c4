import type { Instant } from '../shared/instant.ts';
import { isBlank, isLine } from '../shared/plain-text.ts';

/** The most characters of a device id. */
export const LONGEST_DEVICE_ID = 255;

/**
 * A device id in the form in which ids are compared and kept (Unicode NFC): composed and decomposed letters are one id.
 */
export const composedId = (text: string): string => text.normalize('NFC');

/** The client's name for a device in its kept form; null where the text can't be one. */
export const deviceIdOf = (text: string): string | null => {
  const id = composedId(text);
  return !isBlank(id) && id.length <= LONGEST_DEVICE_ID && isLine(id) ? id : null;
};

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
