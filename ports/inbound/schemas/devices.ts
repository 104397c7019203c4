import * as z from 'zod';
import { isCalendarDay } from '../../../domain/devices/usage.ts';
import { boundedObject } from './bounded-object.ts';
import { dateTime, id, laxBoolean, nullableText } from './fields.ts';

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
        key: nullableText.meta({ description: 'the new key’s value; shown this once' }),
        key_prefix: nullableText,
      }),
    ),
    created: z.int(),
  })
  .meta({ id: 'BulkActivationData' });

/** An offset can carry a moment past what the other dates of the API can say. */
const isWithinFourDigitYears = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
};

export const InstallBody = z
  .object({
    product_id: z.int().meta({ override: { minimum: 1 } }),
    version: z.string().min(1).max(64),
    bundle_id: z.string().max(255).nullish(),
    installed_at: z.iso
      .datetime({ offset: true })
      .refine(isWithinFourDigitYears, 'The installed at field must lie in the years 0 to 9999 of UTC.')
      .nullish()
      .meta({ description: 'now if left out' }),
    release_id: z.int().min(1).nullish(),
    artifact_sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'The artifact sha256 field must be 64 hex digits.')
      .nullish(),
  })
  .meta({ id: 'InstallBody' });

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

const usageDate = z
  .string()
  .refine(isCalendarDay, 'The usage date field must be a calendar day written YYYY-MM-DD.')
  .meta({ format: 'date' });

const commands = boundedObject('commands', { characters: 8192, levels: 8 }).optional();

export const UsageBody = z
  .object({
    consent: laxBoolean,
    days: z
      .array(
        z.object({
          product_id: z.int().min(1),
          usage_date: usageDate,
          launches: z.int().min(0).max(1_000_000),
          commands: commands.meta({ description: 'counts or details by command; at most 8 KiB of JSON' }),
        }),
      )
      .min(1)
      .max(200),
  })
  .meta({ id: 'UsageBody' });

export const UsageStoredData = z
  .object({
    stored: z.int().meta({ description: 'rows now kept from this upload; 0 without consent' }),
    days: z.array(
      z.object({
        product_id: id,
        usage_date: z.iso.date(),
        launches: z.int(),
        commands: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: 'UsageStoredData' });
