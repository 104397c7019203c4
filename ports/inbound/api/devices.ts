import * as z from 'zod';
import { isCalendarDay } from '../../../domain/shared/instant.ts';
import { boundedObject } from '../bounded-object.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, laxBoolean, line, orAbsent, orNull } from '../fields.ts';

const api = endpointsOf({ host: 'api' });

/**
 * False where the offset moves the moment out of the years 0 to 9999 of UTC, which other dates of the API can't
 * express.
 */
const isWithinFourDigitYears = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
};

const InstallBody = z
  .object({
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
  })
  .meta({ id: 'InstallBody' });

const usageDate = z
  .string()
  .refine(isCalendarDay, 'The usage date field must be a calendar day written YYYY-MM-DD.')
  .meta({ format: 'date' });

const commands = orAbsent(boundedObject('commands', { characters: 4096, levels: 8 })).transform((value) => value ?? {});

const UsageBody = z
  .object({
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
  })
  .meta({ id: 'UsageBody' });

export const listBundles = api({
  id: 'listBundles',
  path: '/api/bundles',
  access: { credential: 'key', ability: 'device.entitlements' },
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
  refusals: ['rate_limited'],
  localized: true,
  tool: { name: 'bulk_activate', effect: 'adds' },
});

export const getDeviceEntitlements = api({
  id: 'getDeviceEntitlements',
  path: '/api/device/entitlements',
  access: { credential: 'key', ability: 'device.entitlements' },
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
  // 200 days of thirty commands with names of 24 characters take 206 KB.
  bodyLimit: 256 * 1024,
  refusals: ['product_api_key_scope_required', 'validation_failed', 'rate_limited'],
  tool: { name: 'upload_usage', effect: 'replaces' },
});
