import type { ApiKey, KeyDevice } from '../access/api-key.ts';
import { plural } from '../shared/count-of.ts';
import type { Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Refused, refuse } from '../shared/outcome.ts';
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

/** The standing of a device: the slot that it holds, if it holds one, and how many are taken. */
export type Seat = { readonly device: Device | undefined; readonly used: number };

/**
 * The write that gives a device its slot, and how it stands then: none (`keep`), that it was seen (`touch`), or its new
 * slot (`take`). `full`: no slot is left.
 */
export type SeatStep =
  | { readonly step: 'keep' | 'touch' | 'take'; readonly device: Device; readonly used: number }
  | { readonly step: 'full' };

/** A device as its owner is shown it. */
export const deviceView = ({ device_id, name, activated_at, last_seen_at }: Device) => ({
  device_id,
  name,
  activated_at,
  last_seen_at,
});

/** A device that is first seen now. It has a name only where the caller's credential was signed in on it. */
export const newDevice = (deviceId: string, signedInOn: KeyDevice | null, now: Instant): Device => ({
  device_id: deviceId,
  name: signedInOn?.device_id === deviceId ? signedInOn.name : null,
  activated_at: now,
  last_seen_at: now,
  revoked_at: null,
});

/**
 * Decides about the slot of a device that is seen now: one that holds a slot always passes, and a new one takes a free
 * slot. `newcomer` is the device as it would be added, `limit` null is no limit.
 */
export const seatStep = ({ device, used }: Seat, newcomer: Device, limit: number | null): SeatStep => {
  const now = newcomer.last_seen_at;
  if (device && isUnseenToday(device, now)) return { step: 'touch', device: { ...device, last_seen_at: now }, used };
  if (device) return { step: 'keep', device, used };
  return hasFreeSlot(used, limit) ? { step: 'take', device: newcomer, used: used + 1 } : { step: 'full' };
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

/**
 * The refusal of a device without a slot, which shows the owner devices that hold them. `inUse` has the first 100 of
 * them; the pages at `manageUrl` show all.
 */
export const refuseSeat = (
  limit: number | null,
  inUse: readonly Device[],
  manageUrl: string,
): Refused<'device_limit_reached'> =>
  refuse('device_limit_reached', {
    message: FULL.en(devicesAllowed(limit)),
    ko: FULL.ko(devicesAllowed(limit)),
    data: {
      code: 'device_limit_reached',
      device_limit: devicesAllowed(limit),
      devices: inUse.map(deviceView),
      manage_url: manageUrl,
    },
  });

/** The sentence about the slots that a key gave back; `none` is for a key that was tied to no device. */
const SENTENCES: Readonly<
  Record<'released' | 'nothing' | 'none' | 'license' | 'ofLicense', Readonly<Record<Locale, (url: string) => string>>>
> = {
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

const sentenceOf = ({ kind, device }: Pick<ApiKey, 'kind' | 'device'>, released: boolean): keyof typeof SENTENCES => {
  if (kind === 'license') return released ? 'ofLicense' : 'license';
  return released ? 'released' : device === null ? 'none' : 'nothing';
};

/** The answer to a device that gave up a product. `releasedDevice` is null where no slot became free. */
export const revocationView = (
  key: Pick<ApiKey, 'kind' | 'prefix' | 'device'>,
  productId: number,
  releasedDevice: string | null,
  manageUrl: string,
  locale: Locale,
) => ({
  revoked: key.kind !== 'license',
  product_id: productId,
  key_prefix: key.prefix,
  released_device_id: releasedDevice,
  message: SENTENCES[sentenceOf(key, releasedDevice !== null)][locale](manageUrl),
});
