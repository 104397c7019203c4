import * as z from 'zod';
import { dateTime, id, nullableText } from './fields.ts';

export const DeviceData = z
  .object({ device_id: z.string(), name: nullableText, activated_at: dateTime, last_seen_at: dateTime })
  .meta({ id: 'DeviceData' });

const listed = z
  .array(DeviceData)
  .meta({ description: 'first activated first; of more than 100 devices, 100 of them: `manage_url` shows all' });

const slots = z.object({
  used: z.int(),
  limit: z
    .int()
    .nullable()
    .meta({ description: 'null means no limit of the license; an account can have 100,000 devices for a product' }),
});

const standing = {
  product: z.object({ id, name: z.string(), bundle_id: nullableText }),
  access_source: nullableText.meta({ description: '`direct`, `bundle` or `subscription`' }),
  access_expires_at: dateTime.nullable(),
  updates_supported_until: dateTime.nullable(),
};

export const LicenseDecisionData = z
  .object({
    valid: z.boolean(),
    code: z.enum(['valid', 'not_entitled', 'access_expired', 'entitlement_revoked', 'device_revoked']),
    message: z.string(),
    ...standing,
    version_covered: z
      .boolean()
      .nullable()
      .meta({ description: 'null without a valid `app_version` or without access' }),
    device: DeviceData.nullable(),
    devices: slots,
    checked_at: dateTime,
    recheck_after: dateTime,
    token: nullableText.meta({
      description:
        'Compact JWS (EdDSA, `typ: license+jws`) of a valid decision, good offline until its `exp`; null for a refusal, and for a decision without a device.',
    }),
  })
  .meta({ id: 'LicenseDecisionData' });

export const ProductLicenseData = z
  .object({ ...standing, devices: slots, device_list: listed, manage_url: z.string() })
  .meta({ id: 'ProductLicenseData' });

export const DeviceLimitData = z
  .object({
    message: z.string(),
    code: z.literal('device_limit_reached'),
    device_limit: z.int().meta({ description: '100000 for a product without a limit' }),
    devices: listed,
    manage_url: z.string(),
  })
  .meta({ id: 'DeviceLimitData' });

export const DeviceRevocationData = z
  .object({
    revoked: z.boolean(),
    product_id: id,
    key_prefix: z.string(),
    released_device_id: nullableText.meta({ description: 'the device whose slot was released; null if none was' }),
    message: z.string().meta({ description: 'what was revoked and released, in a sentence' }),
  })
  .meta({ id: 'DeviceRevocationData' });
