import * as z from 'zod';
import { bodyExamples } from './body-examples.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { DeviceRevocationData, LicenseDecisionData, ProductLicenseData } from './schemas/licensing.ts';

const group = 'License';

export const checkLicense = endpoint({
  id: 'checkLicense',
  host: 'api',
  method: 'POST',
  path: '/api/license/check',
  group,
  access: { credential: 'key', ability: 'device.entitlements' },
  body: z
    .object({
      product_id: z.int().min(1).nullish(),
      bundle_id: z.string().max(255).nullish().meta({ description: 'the application’s bundle identifier' }),
      device_id: z
        .string()
        .max(255)
        .nullish()
        .meta({ description: 'the device that takes a slot; left out, the one that the key was issued to' }),
      app_version: z.string().max(100).nullish(),
    })
    .meta({ id: 'LicenseCheckBody' }),
  bodyExample: bodyExamples.checkLicense,
  output: { kind: 'json', status: 200, schema: LicenseDecisionData, example: examples.licenseDecision },
  refusals: ['not_found', 'product_api_key_scope_required', 'device_limit_reached', 'validation_failed'],
  summary: 'Check a license',
  description:
    'The authoritative decision for a product, named by `product_id` or `bundle_id`. A device that holds a slot always passes; a new one takes a slot if there is one, else the answer is 409 with the devices in use and where to release one. Without `device_id` the key’s own device counts; a key that was issued to none is answered for the account alone: it takes no slot, and its token names no device. A refusal such as `access_expired` is a 200 with `valid: false`.',
});

export const getProductLicense = endpoint({
  id: 'getProductLicense',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/license',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'json', status: 200, schema: ProductLicenseData, example: examples.productLicense },
  refusals: [],
  localized: true,
  summary: 'Get the license of a product',
  description: 'What the account holds of the product and which devices use it.',
});

export const revokeLicenseDevice = endpoint({
  id: 'revokeLicenseDevice',
  host: 'api',
  method: 'POST',
  path: '/api/products/{product}/license/device/revoke',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['scoped'] },
  output: { kind: 'json', status: 200, schema: DeviceRevocationData, example: examples.deviceRevocation },
  refusals: [],
  summary: 'Sign this device out of a product',
  description:
    'Revokes the calling key, which must be bound to the product, and gives back the slot of the device it was issued to.',
});
