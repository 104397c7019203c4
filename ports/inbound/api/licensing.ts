import * as z from 'zod';
import { composedId, LONGEST_DEVICE_ID, LONGEST_SENT_NAME, sentName } from '../../../domain/devices/seat.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, deviceIdOrNull, forgiven, line, orNull, product_id } from '../fields.ts';

const api = endpointsOf({ host: 'api' });

export const checkLicense = api({
  id: 'checkLicense',
  method: 'POST',
  path: '/api/license/check',
  access: { credential: 'key', ability: 'device.entitlements', evenSuspended: true },
  body: z
    .object({
      product_id: orNull(bodyInteger({ minimum: 1 })),
      bundle_id: orNull(z.string().max(255)).meta({ description: 'the application’s bundle identifier' }),
      device_id: deviceIdOrNull.meta({
        description: 'the device that takes a slot; if left out, the device that the key was issued to',
      }),
      app_version: orNull(z.string().max(100)),
      nonce: orNull(z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)).meta({
        description:
          'a random text for this one check, base64url, which its token has; the answer then has `continuation`',
      }),
      continuation: forgiven(64, (text) => text).meta({
        description: 'the `continuation` of the last answer; another text than one of 64 characters counts as none',
      }),
      device_name: forgiven(LONGEST_SENT_NAME, sentName).meta({
        description:
          'the machine’s name, which lists of devices show; anything but plain text on one line counts as none',
      }),
    })
    .meta({ id: 'LicenseCheckBody' }),
  output: { kind: 'json', status: 200, decidedBy: 'code' },
  refusals: ['not_found', 'product_api_key_scope_required', 'device_limit_reached', 'validation_failed'],
  localized: 'worded',
  tool: { name: 'check_license', effect: 'adds' },
});

export const getProductLicense = api({
  id: 'getProductLicense',
  path: '/api/products/{product}/license',
  params: z.object({ product: product_id }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  localized: true,
  tool: { name: 'show_product_license', effect: 'reads' },
});

export const releaseLicenseDevice = api({
  id: 'releaseLicenseDevice',
  method: 'POST',
  path: '/api/license/devices/release',
  access: { credential: 'key', ability: 'devices.manage' },
  body: z
    .object({ product_id: bodyInteger({ minimum: 1 }), device_id: line(LONGEST_DEVICE_ID, 1).transform(composedId) })
    .meta({ id: 'LicenseDeviceReleaseBody' }),
  refusals: ['not_found', 'product_api_key_scope_required', 'validation_failed', 'rate_limited'],
  localized: 'worded',
  tool: { name: 'release_device', effect: 'destroys' },
});

export const revokeLicenseDevice = api({
  id: 'revokeLicenseDevice',
  method: 'POST',
  path: '/api/products/{product}/license/device/revoke',
  params: z.object({ product: product_id }),
  access: { credential: 'key', ability: 'products.read', requires: ['scoped'], evenHidden: true },
  body: z
    .object({
      device_id: deviceIdOrNull.meta({
        description: 'the device that asks; only a license key, which has none, needs it',
      }),
    })
    .meta({ id: 'LicenseDeviceRevokeBody' }),
  actsOnKey: true,
  localized: 'worded',
  tool: { name: 'revoke_license_device', effect: 'destroys' },
});
