import * as z from 'zod';
import { dateTime, id, nullableText } from './fields.ts';

export const DeviceEntitlementProductData = z
  .object({
    id,
    name: z.string(),
    type: z.string(),
    access_source: z.string(),
    has_device_key: z.boolean(),
    license_key_prefix: nullableText,
    access_expires_at: dateTime.nullable(),
    updates_supported_until: dateTime.nullable(),
  })
  .meta({ id: 'DeviceEntitlementProductData' });

export const DeviceBundleData = z
  .object({ id, name: z.string(), product_ids: z.array(id) })
  .meta({ id: 'DeviceBundleData' });

export const DeviceInfoData = z
  .object({ id: id.nullable(), name: nullableText, activated_at: dateTime.nullable() })
  .meta({ id: 'DeviceInfoData' });

export const DeviceUserData = z.object({ id, email: nullableText, name: nullableText }).meta({ id: 'DeviceUserData' });

export const DeviceEntitlementsData = z
  .object({
    products: z.array(DeviceEntitlementProductData),
    subscriptions: z.array(
      z.object({
        id,
        status: z.string(),
        starts_at: dateTime,
        ends_at: dateTime.nullable(),
        product_ids: z.array(id),
      }),
    ),
    bundles: z.array(DeviceBundleData),
    device: DeviceInfoData,
    user: DeviceUserData.nullable(),
  })
  .meta({ id: 'DeviceEntitlementsData' });

export const BundleListData = z
  .object({
    bundles: z.array(DeviceBundleData.extend({ product_id: id, entitled: z.boolean() }).meta({ id: 'BundleData' })),
  })
  .meta({ id: 'BundleListData' });

export const BulkActivationData = z
  .object({
    products: z.array(
      z.object({
        product_id: id,
        name: z.string(),
        status: z.enum(['created', 'existing', 'key_limit_reached']),
        key: nullableText.meta({ description: 'the value of the new key, shown only in this answer' }),
        key_prefix: nullableText,
      }),
    ),
    created: z.int(),
  })
  .meta({ id: 'BulkActivationData' });

export const InstallRecordData = z
  .object({
    install: z.object({
      id,
      product_id: id,
      version: z.string(),
      bundle_id: nullableText,
      installed_at: dateTime,
      release_id: id.nullable(),
      artifact_sha256: nullableText,
      recorded_at: dateTime,
    }),
  })
  .meta({ id: 'InstallRecordData' });

export const UsageStoredData = z
  .object({
    stored: z.int().meta({ description: 'the number of rows kept from this upload; 0 without consent' }),
    days: z.array(z.object({ product_id: id, usage_date: z.iso.date(), launches: z.int() })),
  })
  .meta({ id: 'UsageStoredData' });
