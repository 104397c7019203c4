import { plural } from '../shared/count-of.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

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
 * Decides whether a device without a slot may take one. `used` is the number of taken slots; a null `limit` is no
 * limit, which allows 100,000 devices. Callers ask only for devices without a slot: a device that holds one keeps it,
 * even where the limit was lowered since.
 */
export const admitDevice = (used: number, limit: number | null): Outcome<null, 'device_limit_reached'> =>
  used < devicesAllowed(limit)
    ? ok(null)
    : refuse('device_limit_reached', { message: noPlaceFor(devicesAllowed(limit)) });

/** The sentence for a device that finds all places taken. */
const noPlaceFor = (allowed: number): string =>
  allowed === 0
    ? 'This license allows no device.'
    : `${plural(allowed, 'The only device of this license is', `All ${allowed} devices are`)} in use; release ${plural(allowed, 'it', 'one')}, then check again.`;
