import type { Device } from '../devices/device.ts';
import type { Instant } from '../shared/instant.ts';
import { type Access, type AccessSource, beginsLater } from './access.ts';

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

const MESSAGES: Readonly<Record<LicenseCode, string>> = {
  valid: 'This license is valid.',
  not_entitled: 'This account does not own this product; buy it to use it.',
  access_expired: 'Your access to this product has ended; renew it to continue.',
  entitlement_revoked: 'Your license for this product was revoked; contact the store.',
  device_revoked: 'This device was signed out of this product; sign in again or use another device.',
};

/** Whoever has access from a later moment on is told of it, and is not asked to buy or to renew. */
const messageOf = (code: LicenseCode, access: Access): string =>
  !access.granted && access.begins_at !== undefined ? beginsLater(access.begins_at) : MESSAGES[code];

export const decideLicense = (access: Access, deviceRevoked: boolean): LicenseDecision => {
  const code: LicenseCode = !access.granted ? access.reason : deviceRevoked ? 'device_revoked' : 'valid';
  return {
    valid: code === 'valid',
    code,
    message: messageOf(code, access),
    access_source: access.granted ? access.access_source : null,
    access_expires_at: access.granted ? access.access_expires_at : null,
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
