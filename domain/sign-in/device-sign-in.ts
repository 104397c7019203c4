import type { KeyDevice, KeyInput } from '../access/api-key.ts';
import type { Product } from '../catalog/product.ts';
import { hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { inLocale, type Localized } from '../shared/locale.ts';
import { plainName } from '../shared/plain-text.ts';

/** The letters of user codes: consonants that spell no word and are hard to confuse (RFC 8628, section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const USER_CODE_LENGTH = 8;

const PLAIN = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** The maximum number of characters to read of a typed code. */
const LONGEST_TYPED = 64;

/** A user code for display: `XXXX-XXXX`. */
export const shownUserCode = (plain: string): string => `${plain.slice(0, 4)}-${plain.slice(4)}`;

/** The canonical form of a typed user code, ignoring case, spaces and dashes; undefined if it can't be one. */
export const plainUserCode = (typed: string): string | undefined => {
  if (typed.length > LONGEST_TYPED) return undefined;
  const plain = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return PLAIN.test(plain) ? plain : undefined;
};

export type DeviceClient = {
  readonly id: string;
  readonly name: Localized;
};

/** The clients of device sign-in: the command-line client and the cloud apps client. */
export const DEVICE_CLIENTS: readonly DeviceClient[] = [
  { id: 'cli', name: { en: 'Command-line client', ko: '명령줄 클라이언트' } },
  { id: 'cloud-apps', name: { en: 'Cloud apps', ko: '클라우드 앱' } },
];

/**
 * The client with this id: one of those above, or a published application of the catalog under its bundle id. A hidden
 * application is answered like an unknown client.
 */
export const deviceClient = (id: string, apps: ReadonlyMap<string, Product>): DeviceClient | undefined => {
  const app = apps.get(id);
  return DEVICE_CLIENTS.find((client) => client.id === id) ?? (app?.published ? { id, name: app.name } : undefined);
};

/** Minutes for which a device can wait for its approval, and seconds between two polls (RFC 8628, 3.2). */
export const DEVICE_SIGN_IN_MINUTES = 15;
export const POLL_SECONDS = 5;

/** Seconds by which the interval grows each time a device polls too soon (RFC 8628, section 3.5). */
export const SLOW_DOWN_SECONDS = 5;

/** Milliseconds by which a poll may come early, because network latency varies. */
const EARLY_MS = 500;

export const LONGEST_DEVICE_NAME = 255;

/** A device that waits for approval (RFC 8628). */
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
  /** Seconds to wait between polls; increases by 5 each time the device polls too soon. */
  readonly interval: number;
  readonly polled_at: Instant | null;
  readonly state: 'waiting' | 'approved' | 'denied';
  /** The account that approved or denied it. */
  readonly account_id: number | null;
};

export const isOpenSignIn = ({ expires_at }: DeviceSignIn, now: Instant): boolean => !hasPassed(expires_at, now);

/** True if a person can still decide about the device. */
export const awaitsDecision = (signIn: DeviceSignIn, now: Instant): boolean =>
  signIn.state === 'waiting' && isOpenSignIn(signIn, now);

/** A device's name on one line; null if nothing remains. */
export const deviceName = (text: string | null): string | null => plainName(text ?? '', LONGEST_DEVICE_NAME);

export const newDeviceSignIn = (
  hashes: Pick<DeviceSignIn, 'hash' | 'user_code_hash'>,
  client: DeviceClient,
  device: KeyDevice,
  now: Instant,
): DeviceSignIn => ({
  ...hashes,
  client_id: client.id,
  client_name: inLocale(client.name, 'en') ?? client.id,
  device: { device_id: device.device_id, name: deviceName(device.name) },
  created_at: now,
  expires_at: toInstant(millis(now) + DEVICE_SIGN_IN_MINUTES * MINUTE_MS),
  interval: POLL_SECONDS,
  polled_at: null,
  state: 'waiting',
  account_id: null,
});

/** A device sign-in after a person's decision. A name given by the person replaces the device's own. */
export const decided = (
  signIn: DeviceSignIn,
  account_id: number,
  decision: 'approve' | 'deny',
  name: string | null,
): DeviceSignIn => ({
  ...signIn,
  state: decision === 'approve' ? 'approved' : 'denied',
  account_id,
  device: { ...signIn.device, name: deviceName(name) ?? signIn.device.name },
});

/** The answer to a poll. `next` is the sign-in to store, with the time and interval of this poll. */
export type PollVerdict =
  | { readonly verdict: 'pending' | 'slow_down'; readonly next: DeviceSignIn }
  | { readonly verdict: 'approved'; readonly account_id: number }
  | { readonly verdict: 'denied' | 'expired' };

/**
 * Decides on a poll (RFC 8628, section 3.5). A decision takes precedence over polling too soon, because `slow_down`
 * means that nothing is decided. A sign-in of another client counts as none.
 */
export const judgePoll = (signIn: DeviceSignIn | undefined, clientId: string, now: Instant): PollVerdict => {
  if (!signIn || signIn.client_id !== clientId || !isOpenSignIn(signIn, now)) return { verdict: 'expired' };
  if (signIn.state === 'denied') return { verdict: 'denied' };
  if (signIn.state === 'approved' && signIn.account_id !== null) {
    return { verdict: 'approved', account_id: signIn.account_id };
  }
  const { polled_at, interval } = signIn;
  const tooSoon = polled_at !== null && millis(now) - millis(polled_at) < interval * 1000 - EARLY_MS;
  if (!tooSoon) return { verdict: 'pending', next: { ...signIn, polled_at: now } };
  return { verdict: 'slow_down', next: { ...signIn, polled_at: now, interval: interval + SLOW_DOWN_SECONDS } };
};

export const keyInputOf = (
  { client_id, client_name, device, created_at }: DeviceSignIn,
  account_id: number,
): KeyInput => ({
  account_id,
  name: device.name ?? client_name,
  device: { client: client_id, device },
  asked_at: created_at,
});
