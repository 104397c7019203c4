import type { KeyDevice } from '../access/api-key.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';

/** Minutes for which a device can wait for its approval, and seconds between two of its questions (RFC 8628, 3.2). */
export const DEVICE_SIGN_IN_MINUTES = 15;
export const POLL_SECONDS = 5;

/** A device that waits to be let in (RFC 8628). */
export type DeviceSignIn = {
  /** SHA-256 of the device code, lower-case hex. */
  readonly hash: string;
  /** SHA-256 of the user code in its plain form (`plainUserCode`), lower-case hex. */
  readonly user_code_hash: string;
  /** The client software, such as `cli`. */
  readonly client_id: string;
  readonly client_name: string;
  readonly device: KeyDevice;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  /** Seconds to wait between two questions; grows by 5 each time that the device asks too soon. */
  readonly interval: number;
  readonly polled_at: Instant | null;
  readonly state: 'waiting' | 'approved' | 'denied';
  /** The account that approved or denied it. */
  readonly account_id: number | null;
};

export const isOpenSignIn = ({ expires_at }: DeviceSignIn, now: Instant): boolean => !hasPassed(expires_at, now);
