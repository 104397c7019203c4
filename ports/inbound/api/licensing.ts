import * as z from 'zod';
import { RULINGS } from '../../../domain/catalog/product.ts';
import { MOST_BORROW_DAYS } from '../../../domain/devices/lease.ts';
import { composedId, LONGEST_DEVICE_ID, LONGEST_SENT_NAME, sentName } from '../../../domain/devices/seat.ts';
import { accessSource, component, dateTime, id, nullableText, once } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, deviceIdOrNull, forgiven, forgivenPlatform, line, orNull, product_id } from '../fields.ts';
import { listed, seat, sessionData } from './device-data.ts';

const api = endpointsOf({ host: 'api' });

const slots = once(() =>
  z.object({
    used: z.int(),
    limit: z
      .int()
      .nullable()
      .describe('null means no limit of the license; an account can have 100,000 devices for a product'),
  }),
);

const standing = once(() => ({
  product: z.object({ id, name: z.string(), bundle_id: nullableText }),
  access_source: accessSource.nullable(),
  access_expires_at: dateTime.nullable(),
  updates_supported_until: dateTime.nullable(),
  edition: nullableText.describe('the highest edition held; null for a product without editions'),
  features: z.array(z.string()).describe('the features that the application may offer'),
  metadata: z.record(z.string(), z.string()).describe('texts of the shop about the product and the license'),
}));

/** The product that a body names, by its id, its bundle id or both. */
const named = once(() => ({
  product_id: orNull(bodyInteger({ minimum: 1 })),
  bundle_id: orNull(z.string().max(255)).meta({ description: 'the application’s bundle identifier' }),
}));

/** The application and the machine, as they describe themselves. */
const client = once(() => ({
  app_version: orNull(z.string().max(100)),
  nonce: orNull(z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)).meta({
    description: 'a random text for this one check, base64url, which its token has; the answer then has `continuation`',
  }),
  device_name: forgiven(LONGEST_SENT_NAME, sentName).meta({
    description: 'the machine’s name, which lists of devices show; anything but plain text on one line counts as none',
  }),
  platform: forgivenPlatform.meta({
    description: 'the platform of the machine, which the account pages show; any other text counts as none',
  }),
}));

const decision = once(() => ({
  valid: z.boolean(),
  code: z.enum(['valid', 'not_entitled', 'access_expired', 'entitlement_revoked', 'device_revoked', 'device_shared']),
  message: z.string(),
  ...standing(),
  version_covered: z.boolean().nullable().describe('null without a valid `app_version` or without access'),
  uncovered_versions: z
    .enum(RULINGS)
    .describe('`refused` asks the application to stop: this released version lies outside the update window'),
  ...seat(),
  devices: slots(),
  continuation: nullableText.describe(
    'give it back with the device’s next check, and keep it with the answer; null without a device and for a check without `nonce`',
  ),
  checked_at: dateTime,
  recheck_after: dateTime,
  token: nullableText.describe(
    'Compact JWS (EdDSA, `typ: license+jws`) of a valid decision, good offline until its `exp`; null for a refusal, and for a decision without a device.',
  ),
}));

export const checkLicense = api({
  id: 'checkLicense',
  method: 'POST',
  path: '/api/license/check',
  access: { credential: 'key', ability: 'device.entitlements', evenSuspended: true },
  body: () =>
    component('LicenseCheckBody', {
      ...named(),
      device_id: deviceIdOrNull.meta({
        description: 'the device that takes a slot; if left out, the device that the key was issued to',
      }),
      ...client(),
      continuation: forgiven(64, (text) => text).meta({
        description: 'the `continuation` of the last answer; another text than one of 64 characters counts as none',
      }),
      perpetual: orNull(z.boolean()).meta({
        description: 'true for a client that accepts a token without an end; without it a token has at most 400 days',
      }),
    }),
  answer: () => component('LicenseDecisionData', decision()),
  output: { kind: 'json', status: 200, decidedBy: 'code' },
  refusals: ['not_found', 'product_api_key_scope_required', 'device_limit_reached', 'validation_failed'],
  localized: 'worded',
  tool: { name: 'check_license', effect: 'adds' },
});

export const startTrial = api({
  id: 'startTrial',
  method: 'POST',
  path: '/api/license/trial',
  access: { credential: 'none' },
  perMinute: 20,
  body: () =>
    component('LicenseTrialBody', {
      ...named(),
      device_id: line(LONGEST_DEVICE_ID, 1)
        .transform(composedId)
        .meta({ description: 'the device that gets the trial; only its hash is stored' }),
      app_version: client().app_version,
      nonce: client().nonce.meta({ description: 'a random text for this one call, base64url, which its token has' }),
    }),
  answer: () =>
    component('TrialDecisionData', {
      ...decision(),
      code: z.enum(['valid', 'trial_ended', 'device_revoked']),
      access_source: z.literal('trial'),
      access_expires_at: dateTime.describe('the end of the trial'),
    }),
  output: { kind: 'json', status: 200, decidedBy: 'code' },
  refusals: ['not_found', 'trial_not_offered', 'validation_failed', 'rate_limited'],
  localized: 'worded',
});

const lease_id = z.string().max(64);

const sessions = once(() => z.object({ used: z.int(), limit: z.int() }));

/** No tool: a session belongs to an application that renews it and stops without it. */
export const leaseLicense = api({
  id: 'leaseLicense',
  method: 'POST',
  path: '/api/license/lease',
  access: { credential: 'key', ability: 'device.entitlements', evenSuspended: true },
  body: () =>
    component('LicenseLeaseBody', {
      ...named(),
      device_id: line(LONGEST_DEVICE_ID, 1).transform(composedId),
      lease_id: orNull(lease_id).meta({ description: 'the lease to renew or to borrow; if left out, a new session' }),
      borrow_days: orNull(bodyInteger({ minimum: 1, maximum: MOST_BORROW_DAYS })).meta({
        description: 'holds the slot for so many days, for running offline; at most the `borrow_days` of the product',
      }),
      ...client(),
    }),
  answer: () =>
    component('LicenseLeaseData', {
      ...decision(),
      lease: z
        .object({
          lease_id: z.string(),
          expires_at: dateTime.describe('the slot is free for others from then on'),
          renew_after: dateTime.describe('send the same `lease_id` again from then on'),
          borrowed_until: dateTime.nullable(),
        })
        .nullable()
        .describe('null for a refusal'),
      sessions: sessions(),
    }),
  output: { kind: 'json', status: 200, decidedBy: 'code' },
  refusals: [
    'not_found',
    'product_api_key_scope_required',
    'session_limit_reached',
    'lease_not_offered',
    'validation_failed',
  ],
  localized: 'worded',
});

export const returnLease = api({
  id: 'returnLease',
  method: 'POST',
  path: '/api/license/lease/return',
  access: { credential: 'key', ability: 'device.entitlements', evenSuspended: true },
  body: () => component('LeaseReturnBody', { ...named(), lease_id }),
  answer: () =>
    component('LeaseReturnData', {
      returned: z.boolean().describe('false for a session that holds no slot, and for a borrowed one, which keeps it'),
    }),
  refusals: ['not_found', 'product_api_key_scope_required', 'validation_failed'],
});

export const listLeases = api({
  id: 'listLeases',
  path: '/api/products/{product}/leases',
  params: () => z.object({ product: product_id }),
  access: { credential: 'key', ability: 'devices.manage', requires: ['entitlement'] },
  answer: () =>
    component('LeaseListData', {
      sessions: sessions(),
      leases: z.array(sessionData().extend({ lease_id: z.string() })),
      manage_url: z.string(),
    }),
  tool: { name: 'list_leases', effect: 'reads' },
});

export const releaseLease = api({
  id: 'releaseLease',
  method: 'POST',
  path: '/api/license/leases/release',
  access: { credential: 'key', ability: 'devices.manage' },
  body: () => component('LeaseReleaseBody', { product_id: bodyInteger({ minimum: 1 }), lease_id }),
  answer: () =>
    component('LeaseReleaseData', {
      product_id: id,
      lease_id: z.string(),
      released: z.boolean(),
      borrowed_until: dateTime.nullable().describe('the end of a borrowed session, which holds its slot until then'),
    }),
  refusals: ['not_found', 'product_api_key_scope_required', 'validation_failed', 'rate_limited'],
  tool: { name: 'release_lease', effect: 'destroys' },
});

export const getProductLicense = api({
  id: 'getProductLicense',
  path: '/api/products/{product}/license',
  params: () => z.object({ product: product_id }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  answer: () =>
    component('ProductLicenseData', {
      ...standing(),
      devices: slots(),
      device_list: listed(),
      manage_url: z.string(),
    }),
  localized: true,
  tool: { name: 'show_product_license', effect: 'reads' },
});

export const releaseLicenseDevice = api({
  id: 'releaseLicenseDevice',
  method: 'POST',
  path: '/api/license/devices/release',
  access: { credential: 'key', ability: 'devices.manage' },
  body: () =>
    component('LicenseDeviceReleaseBody', {
      product_id: bodyInteger({ minimum: 1 }),
      device_id: line(LONGEST_DEVICE_ID, 1).transform(composedId),
    }),
  answer: () =>
    component('DeviceReleaseData', {
      product_id: id,
      device_id: z.string(),
      released: z.boolean().describe('false where the device held no slot'),
      offline_until: dateTime.nullable().describe('the end of an offline file that holds the slot on; null otherwise'),
      manage_url: z.string(),
      message: z.string().describe('what was released, in a sentence to show to the user'),
    }),
  refusals: ['not_found', 'product_api_key_scope_required', 'validation_failed', 'rate_limited'],
  localized: 'worded',
  tool: { name: 'release_device', effect: 'destroys' },
});

export const revokeLicenseDevice = api({
  id: 'revokeLicenseDevice',
  method: 'POST',
  path: '/api/products/{product}/license/device/revoke',
  params: () => z.object({ product: product_id }),
  access: { credential: 'key', ability: 'products.read', requires: ['scoped'], evenHidden: true },
  body: () =>
    component('LicenseDeviceRevokeBody', {
      device_id: deviceIdOrNull.meta({
        description: 'the device that asks; only a license key, which has none, needs it',
      }),
    }),
  actsOnKey: true,
  answer: () =>
    component('DeviceRevocationData', {
      revoked: z.boolean(),
      product_id: id,
      key_prefix: z.string(),
      released_device_id: nullableText.describe('the device whose slot was released; null if none was'),
      offline_until: dateTime.nullable().describe('the end of an offline file that holds the slot on; null otherwise'),
      message: z.string().describe('what was revoked and released, in a sentence'),
    }),
  localized: 'worded',
  tool: { name: 'revoke_license_device', effect: 'destroys' },
});

/** The key is sent in the body, because URLs are written into logs. */
export const redeemLicenseKey = api({
  id: 'redeemLicenseKey',
  method: 'POST',
  path: '/api/account/licenses/redeem',
  access: { credential: 'key', ability: 'devices.manage' },
  body: () =>
    component('LicenseRedemptionBody', {
      key: z.string().max(1100).meta({ description: 'the text of the license key' }),
    }),
  perMinute: 20,
  answer: () => component('LicenseRedemptionData', { product_id: id, key_prefix: z.string() }),
  refusals: ['license_key_not_redeemable', 'validation_failed', 'rate_limited'],
  localized: 'worded',
  tool: { name: 'redeem_license_key', effect: 'adds' },
});
