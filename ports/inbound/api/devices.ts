import * as z from 'zod';
import { isCalendarDay } from '../../../domain/shared/instant.ts';
import { accessSource, component, dateTime, id, nullableText, once } from '../answers.ts';
import { boundedObject } from '../bounded-object.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, laxBoolean, line, orAbsent, orNull } from '../fields.ts';

const api = endpointsOf({ host: 'api' });

/**
 * False if the offset moves the moment out of the years 0 to 9999 of UTC, which other dates of the API can't express.
 */
const isWithinFourDigitYears = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
};

const InstallBody = () =>
  component('InstallBody', {
    product_id: bodyInteger().meta({ override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } }),
    version: line(64, 1),
    bundle_id: orNull(line(255)),
    installed_at: orNull(
      z.iso
        .datetime({ offset: true })
        .refine(isWithinFourDigitYears, 'The installed at field must lie in the years 0 to 9999 of UTC.'),
    ).meta({ description: 'now if left out' }),
    release_id: orNull(bodyInteger({ minimum: 1 })),
    artifact_sha256: orNull(z.string().regex(/^[0-9a-fA-F]{64}$/, 'The artifact sha256 field must be 64 hex digits.')),
  });

const usageDate = z
  .string()
  .refine(isCalendarDay, 'The usage date field must be a calendar day written YYYY-MM-DD.')
  .meta({ format: 'date' });

const commands = orAbsent(boundedObject('commands', { characters: 4096, levels: 8 })).transform((value) => value ?? {});

const UsageBody = () =>
  component('UsageBody', {
    consent: laxBoolean,
    days: z
      .array(
        z.object({
          product_id: bodyInteger({ minimum: 1 }),
          usage_date: usageDate,
          launches: bodyInteger({ minimum: 0, maximum: 1_000_000 }),
          commands: commands.meta({
            description: 'counts by command, kept with the row; at most 4,096 characters of JSON, 8 levels deep',
          }),
        }),
      )
      .min(1)
      .max(200),
  });

const deviceBundleData = once(() => component('DeviceBundleData', { id, name: z.string(), product_ids: z.array(id) }));

export const listBundles = api({
  id: 'listBundles',
  path: '/api/bundles',
  access: { credential: 'key', ability: 'device.entitlements' },
  answer: () =>
    component('BundleListData', {
      bundles: z.array(deviceBundleData().extend({ product_id: id, entitled: z.boolean() }).meta({ id: 'BundleData' })),
    }),
  cache: 'revalidate',
  localized: true,
  tool: { name: 'list_bundles', effect: 'reads' },
});

export const logoutDevice = api({
  id: 'logoutDevice',
  method: 'POST',
  path: '/api/cli/device/logout',
  access: { credential: 'key' },
  actsOnKey: true,
  output: { kind: 'empty', status: 204, countedBy: 'X-Released-Slots' },
  tool: { name: 'logout_device', effect: 'destroys' },
});

export const bulkActivate = api({
  id: 'bulkActivate',
  method: 'POST',
  path: '/api/device/bulk-activate',
  access: { credential: 'key', ability: 'device.activate' },
  actsOnKey: true,
  named: true,
  answer: () =>
    component('BulkActivationData', {
      products: z.array(
        z.object({
          product_id: id,
          name: z.string(),
          status: z.enum(['created', 'existing', 'key_limit_reached']),
          key: nullableText.describe('the value of the new key, shown only in this answer'),
          key_prefix: nullableText,
        }),
      ),
      created: z.int(),
    }),
  refusals: ['rate_limited'],
  localized: true,
  tool: { name: 'bulk_activate', effect: 'adds' },
});

export const getDeviceEntitlements = api({
  id: 'getDeviceEntitlements',
  path: '/api/device/entitlements',
  access: { credential: 'key', ability: 'device.entitlements' },
  answer: () =>
    component('DeviceEntitlementsData', {
      products: z.array(
        component('DeviceEntitlementProductData', {
          id,
          name: z.string(),
          type: z.string(),
          access_source: accessSource,
          has_device_key: z.boolean(),
          license_key_prefix: nullableText,
          access_expires_at: dateTime.nullable(),
          updates_supported_until: dateTime.nullable(),
        }),
      ),
      subscriptions: z.array(
        z.object({
          id,
          status: z.string(),
          starts_at: dateTime,
          ends_at: dateTime.nullable(),
          product_ids: z.array(id),
        }),
      ),
      bundles: z.array(deviceBundleData()),
      device: component('DeviceInfoData', { id: id.nullable(), name: nullableText, activated_at: dateTime.nullable() }),
      user: component('DeviceUserData', { id, email: nullableText, name: nullableText }).nullable(),
    }),
  localized: true,
  tool: { name: 'show_device_entitlements', effect: 'reads' },
});

export const recordInstall = api({
  id: 'recordInstall',
  method: 'POST',
  path: '/api/device/installs',
  access: { credential: 'key', ability: 'device.install' },
  body: InstallBody,
  idempotent: true,
  answer: () =>
    component('InstallRecordData', {
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
    }),
  output: { kind: 'json', status: 201 },
  refusals: ['product_entitlement_required', 'product_api_key_scope_required', 'validation_failed', 'rate_limited'],
  tool: { name: 'record_install', effect: 'adds' },
});

export const uploadUsage = api({
  id: 'uploadUsage',
  method: 'POST',
  path: '/api/device/usage',
  access: { credential: 'key', ability: 'device.usage' },
  actsOnKey: true,
  body: UsageBody,
  // 200 days with thirty commands each, with names of 24 characters, take 206 KB.
  bodyLimit: 256 * 1024,
  answer: () =>
    component('UsageStoredData', {
      stored: z.int().describe('the number of rows kept from this upload; 0 without consent'),
      days: z.array(
        z.object({
          product_id: id,
          usage_date: z.iso.date(),
          launches: z.int(),
          commands: z.record(z.string(), z.unknown()).optional().describe('absent where there are none'),
        }),
      ),
    }),
  refusals: ['product_api_key_scope_required', 'validation_failed', 'rate_limited'],
  tool: { name: 'upload_usage', effect: 'replaces' },
});
