import type { ApiKey, KeyDevice } from '../access/api-key.ts';
import type { Platform } from '../catalog/platform.ts';
import { plural } from '../shared/count-of.ts';
import { dayOf, hasPassed, type Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Refused, refuse } from '../shared/outcome.ts';
import { isBlank, isLine, plainName } from '../shared/plain-text.ts';
import { type Continuation, continued, isShared } from './continuation.ts';
import { type Lease, liveLeases } from './lease.ts';

export const LONGEST_DEVICE_ID = 255;

/** The form of a device id for comparison and storage (Unicode NFC), so composed and decomposed letters are equal. */
export const composedId = (text: string): string => text.normalize('NFC');

/** The client's name for a device in its stored form; null if invalid. */
export const deviceIdOf = (text: string): string | null => {
  const id = composedId(text);
  return !isBlank(id) && id.length <= LONGEST_DEVICE_ID && isLine(id) ? id : null;
};

/**
 * The maximum length of an id that people see whole. For longer ids, a few characters suffice to tell devices apart.
 */
const SHORT_ID = 20;

/** A device's id as people see it if the device has no name. */
export const shownDeviceId = (id: string): string => (id.length > SHORT_ID ? `${[...id].slice(0, 8).join('')}…` : id);

/** The maximum length of a name that a device gives itself. */
export const LONGEST_SENT_NAME = 100;

/** The machine name that a client sends; null if it is invalid, because a bad name must not lock anybody out. */
export const sentName = (text: string): string | null => (isLine(text) ? plainName(text) : null);

/** A device that holds one of an account's slots for a product. */
export type Device = {
  /** The client's own name for the device, at most 255 characters. */
  readonly device_id: string;
  readonly name: string | null;
  readonly activated_at: Instant;
  /** Accurate to the day, because it is written at most once a day. */
  readonly last_seen_at: Instant;
  readonly revoked_at: Instant | null;
  /** The expiry of its longest offline file. The slot stays taken until then. Absent without such a file. */
  readonly offline_until?: Instant | undefined;
  /** True if the client sent the name, so the client may replace it. A name given by a person stays. */
  readonly name_is_sent?: boolean | undefined;
  /** The platform that the client sent last; absent if it sends none. */
  readonly platform?: Platform | undefined;
  /** The version of the application at the first check of the day; absent if it sends none. */
  readonly app_version?: string | undefined;
  /** The values that reveal copies of the device; absent for a client that doesn't use them. */
  readonly continuation?: Continuation | undefined;
};

/** The time at which two machines were found to use the device; null if only one does. */
export const sharedAt = ({ continuation }: Pick<Device, 'continuation'>): Instant | null =>
  (continuation && isShared(continuation) && continuation.mismatches?.at(-1)) || null;

/** The session as the device of an answer, its token and the lists of devices. */
export const deviceOfLease = ({ device_id, name, taken_at, renewed_at, borrowed_until }: Lease): Device => ({
  device_id,
  name,
  activated_at: taken_at,
  last_seen_at: renewed_at,
  revoked_at: null,
  ...(borrowed_until !== undefined && { offline_until: borrowed_until }),
});

/** A device released before its offline file expired. Its slot stays taken until then. */
export type HeldDevice = Device & { readonly offline_until: Instant; readonly released_at: Instant };

/**
 * A device at its release, while its offline file holds the slot. Its values are dropped; it gets new ones when it
 * returns.
 */
export const heldDevice = ({ continuation: _, ...device }: Device, until: Instant, now: Instant): HeldDevice => ({
  ...device,
  offline_until: until,
  released_at: now,
});

/**
 * The stored slots of an account and a product: `used` counts devices that are not released. `sessions` are those of a
 * floating license, including expired ones.
 */
export type KeptSlots = {
  readonly used: number;
  readonly held: readonly HeldDevice[];
  readonly sessions?: readonly Lease[] | undefined;
};

export const NO_SLOTS: KeptSlots = { used: 0, held: [] };

/**
 * The maximum number of released devices that hold slots of one product. Beyond it, no further device with an offline
 * file can be released.
 */
export const MOST_HELD = 100;

/** The released devices whose files are still valid, so their slots are taken. */
export const liveHolds = (held: readonly HeldDevice[], now: Instant): HeldDevice[] =>
  held.filter(({ offline_until }) => !hasPassed(offline_until, now));

/** The number of taken slots at a time. */
export const slotsTaken = ({ used, held, sessions = [] }: KeptSlots, now: Instant): number =>
  used + liveHolds(held, now).length + liveLeases(sessions, [], now).length;

/** The time at which a valid offline file expires; null without one. */
export const offlineUntil = ({ offline_until }: Pick<Device, 'offline_until'>, now: Instant): Instant | null =>
  offline_until === undefined || hasPassed(offline_until, now) ? null : offline_until;

/** The device with the later of two offline file ends. */
export const withOffline = (device: Device, until: Instant | undefined): Device =>
  until !== undefined && until > (device.offline_until ?? '') ? { ...device, offline_until: until } : device;

/** True if the device was not recorded as seen today (UTC). */
export const isUnseenToday = (device: Device, now: Instant): boolean =>
  device.last_seen_at.slice(0, 10) !== now.slice(0, 10);

/** The maximum number of devices of an account for a product without a limit, so that one key can't fill the store. */
export const MOST_DEVICES = 100_000;

/** The maximum number of devices in an answer. An account's pages show the others. */
export const DEVICES_LISTED = 100;

/** The number of devices that a limit allows; null means no limit. */
export const devicesAllowed = (limit: number | null): number => limit ?? MOST_DEVICES;

/**
 * True if a device without a slot may take one. `used` is the number of taken slots; without a limit (null), 100,000
 * devices are allowed. A device that holds a slot keeps it, even if the limit was lowered since.
 */
export const hasFreeSlot = (used: number, limit: number | null): boolean => used < devicesAllowed(limit);

/** The standing of a device: its slot, if it has one, and the number of taken slots. */
export type Seat = {
  readonly device: Device | undefined;
  readonly used: number;
  /** The value that the device's next check sends back (`continuation.ts`). */
  readonly continuation?: string | null | undefined;
};

/**
 * The write that a device's check requires, and its standing afterwards: no write (`keep`), the day it was seen
 * (`touch`), the end of a new offline file (`hold`), or a new slot (`take`). `full`: no slot is left.
 */
export type SeatStep =
  | (Seat & { readonly step: 'keep' | 'touch' | 'hold' | 'take'; readonly device: Device })
  | { readonly step: 'full' };

/** A device as its owner sees it. */
export const deviceView = (device: Device | HeldDevice) => ({
  device_id: device.device_id,
  name: device.name,
  activated_at: device.activated_at,
  last_seen_at: device.last_seen_at,
  offline_until: device.offline_until ?? null,
  released_at: 'released_at' in device ? device.released_at : null,
  shared_at: sharedAt(device),
});

/** The name, the platform and the version that a client sent, and the value that its next check sends back. */
type Sent = {
  readonly name?: string | null | undefined;
  readonly platform?: Platform | null | undefined;
  readonly app_version?: string | null | undefined;
  readonly fresh?: string | null;
};

/**
 * A device seen for the first time. Its name comes from the device's own sign-in, else from the client (`name`).
 * `offlineUntil` is the end of the offline file that it is about to get, and `fresh` the value that its next check
 * sends back.
 */
export const newDevice = (
  device_id: string,
  signedInOn: KeyDevice | null,
  now: Instant,
  offlineUntil?: Instant,
  { name = null, fresh = null, platform = null, app_version = null }: Sent = {},
): Device => {
  const signedIn = signedInOn?.device_id === device_id ? signedInOn.name : null;
  return {
    device_id,
    name: signedIn ?? name,
    activated_at: now,
    last_seen_at: now,
    revoked_at: null,
    ...(offlineUntil !== undefined && { offline_until: offlineUntil }),
    ...(signedIn === null && name !== null && { name_is_sent: true }),
    ...(platform !== null && { platform }),
    ...(app_version !== null && { app_version }),
    ...(fresh !== null && { continuation: { current: fresh } }),
  };
};

/** A device as recorded, and the value for its next check to send back. */
export type SeenDevice = { readonly device: Device; readonly continuation: string | null };

/**
 * A device that is seen again: its record, if it must be written, and the value to return. `newcomer` is the device as
 * it would be added, and `presented` the value that the check sent.
 */
export const seenAgain = (device: Device, newcomer: Device, presented: string | null): SeenDevice => {
  const now = newcomer.last_seen_at;
  const fresh = newcomer.continuation?.current ?? null;
  const isFirstOfDay = isUnseenToday(device, now);
  const { state, answer } = continued(device.continuation, { presented, fresh, isFirstOfDay, now });
  const takesName = newcomer.name_is_sent && (device.name === null || device.name_is_sent);
  return {
    device: {
      ...device,
      last_seen_at: now,
      ...(takesName && { name: newcomer.name, name_is_sent: true }),
      ...(newcomer.platform && { platform: newcomer.platform }),
      ...(newcomer.app_version && { app_version: newcomer.app_version }),
      ...(state && { continuation: state }),
    },
    continuation: answer,
  };
};

/**
 * Decides on a device's slot: a device that holds one always passes, and a new one takes a free slot. A released device
 * with a valid offline file takes its slot back, if the limit still allows it. `newcomer` is the device as it would be
 * added; a null `limit` means no limit. A device is written once a day, and whenever its check presented an unexpected
 * value (`presented`).
 */
export const seatStep = (
  device: Device | undefined,
  slots: KeptSlots,
  newcomer: Device,
  limit: number | null,
  presented: string | null = null,
): SeatStep => {
  const now = newcomer.last_seen_at;
  const used = slotsTaken(slots, now);
  if (device) {
    const { device: seen, continuation } = seenAgain(device, newcomer, presented);
    const held = withOffline(seen, newcomer.offline_until);
    if (held !== seen) return { step: 'hold', device: held, used };
    return isUnseenToday(device, now) || seen.continuation !== device.continuation
      ? { step: 'touch', device: seen, used, continuation }
      : { step: 'keep', device, used, continuation };
  }
  const own = liveHolds(slots.held, now).find(({ device_id }) => device_id === newcomer.device_id);
  const others = own ? used - 1 : used;
  if (!hasFreeSlot(others, limit)) return { step: 'full' };
  return {
    step: 'take',
    device: withOffline(newcomer, own?.offline_until),
    used: others + 1,
    continuation: newcomer.continuation?.current ?? null,
  };
};

const FULL: Readonly<Record<Locale, (allowed: number) => string>> = {
  en: (allowed) =>
    allowed === 0
      ? 'This license allows no device.'
      : `${plural(allowed, 'The only device of this license is', `All ${allowed} devices are`)} in use; release ${plural(allowed, 'it', 'one')}, then check again.`,
  ko: (allowed) =>
    allowed === 0
      ? '이 라이선스로 사용할 수 있는 기기가 없습니다.'
      : `사용할 수 있는 기기 ${allowed}대를 모두 사용하고 있습니다. 한 대를 해제한 뒤 다시 확인해 주세요.`,
};

const FILED: Readonly<Record<Locale, (until: Instant) => string>> = {
  en: (until) =>
    `Every device of this license has an offline file, which holds its slot. One is free from ${dayOf(until)} on; contact the store if you need it earlier.`,
  ko: (until) =>
    `모든 기기에 오프라인 라이선스 파일이 있어 ${dayOf(until)}부터 새 기기를 등록할 수 있습니다. 더 일찍 필요하시면 스토어에 문의해 주세요.`,
};

/** The fields that answers with and without a slot share. `device_limit` is 100,000 if there is no limit. */
export const seatMembers = (device: Device | null, used: number, limit: number | null, manageUrl: string) => ({
  device: device && deviceView(device),
  devices_used: used,
  device_limit: devicesAllowed(limit),
  manage_url: manageUrl,
});

/**
 * The refusal of a device without a slot, with the devices that hold the `used` slots. `inUse` contains the first 100;
 * the pages at `manageUrl` show all. If offline files hold all slots, the message does not ask to release a device.
 */
export const refuseSeat = (
  limit: number | null,
  used: number,
  inUse: readonly Device[],
  manageUrl: string,
  now: Instant,
): Refused<'device_limit_reached'> => {
  const ends = inUse.flatMap((device) => offlineUntil(device, now) ?? []).sort();
  const allowed = devicesAllowed(limit);
  const free = ends.length === used ? ends[used - allowed] : undefined;
  const sentence = (locale: Locale): string => (free === undefined ? FULL[locale](allowed) : FILED[locale](free));
  return refuse('device_limit_reached', {
    message: sentence('en'),
    ko: sentence('ko'),
    data: {
      code: 'device_limit_reached',
      devices: inUse.map(deviceView),
      ...seatMembers(null, used, limit, manageUrl),
    },
  });
};

const HELD: Readonly<Record<Locale, (until: Instant) => string>> = {
  en: (until) => `It has an offline file until ${dayOf(until)}, so its slot stays taken until then.`,
  ko: (until) => `오프라인 라이선스 파일이 ${dayOf(until)}까지 유효하므로 그때까지는 기기 한 대로 계산됩니다.`,
};

const RELEASED: Readonly<Record<'released' | 'held' | 'nothing', Readonly<Record<Locale, string>>>> = {
  released: {
    en: 'The device is released, and its slot is free. Its key lives on and may take a free slot again.',
    ko: '기기를 해제했습니다. 기기의 키는 그대로 유효하므로 등록할 수 있는 자리가 있으면 다시 등록될 수 있습니다.',
  },
  held: { en: 'The device is released.', ko: '기기를 해제했습니다.' },
  nothing: {
    en: 'This device holds no slot of this product, so nothing was released.',
    ko: '이 제품에 등록되어 있지 않은 기기여서 해제한 기기가 없습니다.',
  },
};

/**
 * The answer to an owner who released a device. `until` is the end of an offline file that still holds the slot; null
 * if the slot is free.
 */
export const releaseView = (
  target: { readonly product_id: number; readonly device_id: string },
  released: boolean,
  until: Instant | null,
  manageUrl: string,
  locale: Locale,
) => ({
  ...target,
  released,
  offline_until: until,
  manage_url: manageUrl,
  message:
    until === null
      ? RELEASED[released ? 'released' : 'nothing'][locale]
      : `${RELEASED.held[locale]} ${HELD[locale](until)}`,
});

/** The message about the slots that a key freed; `none` for a key without a device. */
const SENTENCES: Readonly<
  Record<
    'released' | 'nothing' | 'none' | 'license' | 'ofLicense' | 'held' | 'heldOfLicense',
    Readonly<Record<Locale, (url: string) => string>>
  >
> = {
  held: {
    en: () => 'This key is revoked, and its device is released.',
    ko: () => '이 키를 폐기하고 기기를 해제했습니다.',
  },
  heldOfLicense: {
    en: () => 'The license key stays, because other devices may have it. The device is released.',
    ko: () => '라이선스 키는 다른 기기에서도 쓸 수 있어 폐기하지 않고 기기만 해제했습니다.',
  },
  released: {
    en: () => 'This key is revoked, and its device gave back its slot of this product.',
    ko: () => '이 키를 폐기하고 이 제품에서 기기를 해제했습니다.',
  },
  nothing: {
    en: () => 'This key is revoked. Its device held no slot of this product, so none was released.',
    ko: () => '이 키를 폐기했습니다. 기기가 이 제품에 등록되어 있지 않아 해제한 기기는 없습니다.',
  },
  none: {
    en: (url) => `This key is revoked. It was tied to no device, so no slot was released; release one at ${url}.`,
    ko: (url) =>
      `이 키를 폐기했습니다. 기기에 묶인 키가 아니어서 해제한 기기는 없습니다. 기기는 ${url} 에서 해제해 주세요.`,
  },
  ofLicense: {
    en: () =>
      'This device gave back its slot of this product. The license key stays, because other devices may have it.',
    ko: () => '이 제품에서 기기를 해제했습니다. 라이선스 키는 다른 기기에서도 쓸 수 있어 폐기하지 않았습니다.',
  },
  license: {
    en: (url) => `A license key stays, because other devices may have it. Release this device at ${url}.`,
    ko: (url) => `라이선스 키는 다른 기기에서도 쓸 수 있어 폐기하지 않았습니다. 이 기기는 ${url} 에서 해제해 주세요.`,
  },
};

const sentenceOf = (
  { kind, device }: Pick<ApiKey, 'kind' | 'device'>,
  { released, until }: SlotGivenBack,
): keyof typeof SENTENCES => {
  if (until !== null) return kind === 'license' ? 'heldOfLicense' : 'held';
  if (kind === 'license') return released !== null ? 'ofLicense' : 'license';
  return released !== null ? 'released' : device === null ? 'none' : 'nothing';
};

/**
 * The result of giving up a device's slot. `released` is null if no slot became free, and `until` is null if no offline
 * file holds one.
 */
type SlotGivenBack = { readonly released: string | null; readonly until: Instant | null };

/** The answer to a device that gave up a product. */
export const revocationView = (
  key: Pick<ApiKey, 'kind' | 'prefix' | 'device'>,
  product_id: number,
  slot: SlotGivenBack,
  manageUrl: string,
  locale: Locale,
) => ({
  revoked: key.kind !== 'license',
  product_id,
  key_prefix: key.prefix,
  released_device_id: slot.released,
  offline_until: slot.until,
  message: `${SENTENCES[sentenceOf(key, slot)][locale](manageUrl)}${slot.until === null ? '' : ` ${HELD[locale](slot.until)}`}`,
});
