import type { Device } from '../devices/device.ts';
import type { Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Access, type AccessSource, beginsLater, hasEnded } from './access.ts';
import type { Labels } from './grant-status.ts';

export type LicenseCode = 'valid' | 'not_entitled' | 'access_expired' | 'entitlement_revoked' | 'device_revoked';

/** The authoritative answer to a license check. Missing access counts before a revoked device. */
export type LicenseDecision = {
  readonly valid: boolean;
  readonly code: LicenseCode;
  readonly message: string;
  readonly access_source: AccessSource | null;
  readonly access_expires_at: Instant | null;
  readonly updates_supported_until: Instant | null;
};

const MESSAGES: Labels<Exclude<LicenseCode, 'access_expired'>> = {
  valid: { en: 'This license is valid.', ko: '라이선스가 유효합니다.' },
  not_entitled: {
    en: 'This account does not own this product; buy it to use it.',
    ko: '이 계정에는 이 제품이 없습니다. 사용하시려면 구매해 주세요.',
  },
  entitlement_revoked: {
    en: 'Your license for this product was revoked; contact the store.',
    ko: '이 제품의 라이선스가 회수되었습니다. 스토어에 문의해 주세요.',
  },
  device_revoked: {
    en: 'The store has blocked this device for this product; use another device, or contact the store.',
    ko: '판매자가 이 기기에서 이 제품을 쓰지 못하게 했습니다. 다른 기기를 사용하시거나 스토어에 문의해 주세요.',
  },
};

/** Whoever has access from a later moment on is told of it, and is not asked to buy or to renew. */
const messageOf = (access: Access, deviceRevoked: boolean, locale: Locale): string => {
  if (access.granted) return MESSAGES[deviceRevoked ? 'device_revoked' : 'valid'][locale];
  if (access.begins_at !== undefined) return beginsLater(access.begins_at, locale);
  return access.reason === 'access_expired' ? hasEnded(access.ended_at, locale) : MESSAGES[access.reason][locale];
};

/** Decides on a license. The decision that access has expired has its end as `access_expires_at`. */
export const decideLicense = (access: Access, deviceRevoked: boolean, locale: Locale): LicenseDecision => {
  const code: LicenseCode = !access.granted ? access.reason : deviceRevoked ? 'device_revoked' : 'valid';
  const ended_at = !access.granted && access.reason === 'access_expired' ? access.ended_at : null;
  return {
    valid: code === 'valid',
    code,
    message: messageOf(access, deviceRevoked, locale),
    access_source: access.granted ? access.access_source : null,
    access_expires_at: access.granted ? access.access_expires_at : ended_at,
    updates_supported_until: access.granted ? access.updates_supported_until : null,
  };
};

/** A device that the client policy revokes for a product. */
export type Revoked = readonly { readonly product_id: number; readonly device_id: string }[];

/** The devices that the client policy revokes for a product. Their slots are free for other devices. */
export const withdrawnDevices = (productId: number, revoked: Revoked): string[] =>
  revoked.flatMap(({ product_id, device_id }) => (product_id === productId ? [device_id] : []));

/** True where the client policy or the owner has revoked the device. */
export const isDeviceRevoked = (
  productId: number,
  deviceId: string | null,
  device: Device | undefined,
  revoked: Revoked,
): boolean =>
  deviceId !== null && (device?.revoked_at != null || withdrawnDevices(productId, revoked).includes(deviceId));
