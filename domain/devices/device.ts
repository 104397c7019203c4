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

/**
 * Decides whether a device without a slot may take one. `used` is the number of taken slots; a null `limit` is no
 * limit. Callers ask only for devices without a slot: a device that holds one keeps it, even where the limit was
 * lowered since.
 */
export const admitDevice = (used: number, limit: number | null): Outcome<null, 'device_limit_reached'> =>
  limit === null || used < limit
    ? ok(null)
    : refuse('device_limit_reached', {
        message: `All ${limit} device${limit === 1 ? ' is' : 's are'} in use; release one, then check again.`,
      });
