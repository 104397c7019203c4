import { addDays, hasPassed, type Instant } from '../shared/instant.ts';
import type { Ability } from './abilities.ts';

/** Days without use after which a device sign-in key ends (specification, Limits). */
export const DEVICE_KEY_IDLE_DAYS = 90;

export const KEY_KINDS = ['personal', 'device', 'license'] as const;

/** The device that a key was signed in on. The client sends the same `device_id` in license checks. */
export type KeyDevice = { readonly device_id: string; readonly name: string | null };

/** An account API key. Only the SHA-256 hash of its value is kept. */
export type ApiKey = {
  readonly id: number;
  readonly account_id: number;
  /** SHA-256 of the whole value, lower-case hex. */
  readonly hash: string;
  /** The first 14 characters of the value. People tell keys apart by it. */
  readonly prefix: string;
  readonly name: string;
  /**
   * `personal`: created by a person; `device`: issued by device sign-in or bulk activation; `license`: handed out with a
   * product, for every device of the buyer.
   */
  readonly kind: (typeof KEY_KINDS)[number];
  readonly abilities: readonly Ability[];
  /** Null for an account-wide key, else the one product it is bound to. */
  readonly product_id: number | null;
  /** The client software that signed in, such as `cli`; device keys only. */
  readonly client: string | null;
  readonly device: KeyDevice | null;
  /** The device key whose bulk activation made this one. */
  readonly parent_id: number | null;
  /**
   * Hash that tells the request that made this key from others: of the parent and the Idempotency-Key of a bulk
   * activation, or of the message that has a license key. Absent without one.
   */
  readonly request_hash?: string | undefined;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  /** The first use of the last day (UTC) on which it was used. */
  readonly last_used_at: Instant | null;
  readonly revoked_at: Instant | null;
  /** True on the item that requests read while the account is suspended. */
  readonly suspended?: boolean;
};

/**
 * The moment at which the key ends if nobody uses it again; null for never. A personal key ends at its expiry, and so
 * does a license key. A device key ends at its expiry or 90 days after its last recorded use, whichever is earlier. Only the day's first use is
 * recorded, so that no key outlives its 90 days; a further use on the same day adds nothing.
 */
export const keyEnd = (key: ApiKey): Instant | null => {
  if (key.kind !== 'device') return key.expires_at;
  const idle = addDays(key.last_used_at ?? key.created_at, DEVICE_KEY_IDLE_DAYS);
  return key.expires_at !== null && key.expires_at < idle ? key.expires_at : idle;
};

export const isLive = (key: ApiKey, now: Instant): boolean => key.revoked_at === null && !hasPassed(keyEnd(key), now);

/** True where no use was recorded today (UTC). */
export const useIsUnrecorded = (key: ApiKey, now: Instant): boolean =>
  key.last_used_at === null || key.last_used_at.slice(0, 10) < now.slice(0, 10);
