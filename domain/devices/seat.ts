import type { KeyDevice } from '../access/api-key.ts';
import { plural } from '../shared/count-of.ts';
import type { Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Refused, refuse } from '../shared/outcome.ts';
import { type Device, devicesAllowed, hasFreeSlot, isUnseenToday } from './device.ts';

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
  locale: Locale,
): Refused<'device_limit_reached'> =>
  refuse('device_limit_reached', {
    message: FULL[locale](devicesAllowed(limit)),
    locale,
    data: {
      code: 'device_limit_reached',
      device_limit: devicesAllowed(limit),
      devices: inUse.map(deviceView),
      manage_url: manageUrl,
    },
  });
