import { bodyExamples } from './body-examples.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import {
  BulkActivationData,
  BundleListData,
  DeviceEntitlementsData,
  InstallBody,
  InstallRecordData,
  UsageBody,
  UsageStoredData,
} from './schemas/devices.ts';

const group = 'Device';

export const listBundles = endpoint({
  id: 'listBundles',
  host: 'api',
  method: 'GET',
  path: '/api/bundles',
  group,
  access: { credential: 'key', ability: 'device.entitlements' },
  output: { kind: 'json', status: 200, schema: BundleListData, example: examples.bundles },
  refusals: [],
  cache: 'revalidate',
  localized: true,
  summary: 'List the product bundles',
  description: 'Bundles on sale, each with its products and whether this account owns it.',
});

export const logoutDevice = endpoint({
  id: 'logoutDevice',
  host: 'api',
  method: 'POST',
  path: '/api/cli/device/logout',
  group,
  access: { credential: 'key' },
  output: { kind: 'empty', status: 204 },
  refusals: [],
  summary: 'Sign this device out',
  description: 'Revokes the calling key, and with it the product keys that its bulk activation made.',
});

export const bulkActivate = endpoint({
  id: 'bulkActivate',
  host: 'api',
  method: 'POST',
  path: '/api/device/bulk-activate',
  group,
  access: { credential: 'key', ability: 'device.activate' },
  output: { kind: 'json', status: 200, schema: BulkActivationData, example: examples.bulkActivation },
  refusals: [],
  localized: true,
  summary: 'Make a device key for every accessible product',
  description:
    'One key bound to each product that the account may use, its value shown this once. A product that already has one from this device is reported as `existing`; asking again makes none twice.',
});

export const getDeviceEntitlements = endpoint({
  id: 'getDeviceEntitlements',
  host: 'api',
  method: 'GET',
  path: '/api/device/entitlements',
  group,
  access: { credential: 'key', ability: 'device.entitlements' },
  output: { kind: 'json', status: 200, schema: DeviceEntitlementsData, example: examples.deviceEntitlements },
  refusals: [],
  localized: true,
  summary: 'Get what this device may use',
  description: 'Called when a device starts: the products, subscriptions and bundles of the account, and who it is.',
});

export const recordInstall = endpoint({
  id: 'recordInstall',
  host: 'api',
  method: 'POST',
  path: '/api/device/installs',
  group,
  access: { credential: 'key', ability: 'device.install' },
  body: InstallBody,
  bodyExample: bodyExamples.recordInstall,
  idempotent: true,
  output: { kind: 'json', status: 201, schema: InstallRecordData, example: examples.installRecord },
  refusals: ['product_entitlement_required', 'product_api_key_scope_required', 'validation_failed'],
  summary: 'Record an install',
  description: 'What a device has installed, and when.',
});

export const uploadUsage = endpoint({
  id: 'uploadUsage',
  host: 'api',
  method: 'POST',
  path: '/api/device/usage',
  group,
  access: { credential: 'key', ability: 'device.usage' },
  body: UsageBody,
  bodyExample: bodyExamples.uploadUsage,
  bodyLimit: 2 * 1024 * 1024,
  output: { kind: 'json', status: 200, schema: UsageStoredData, example: examples.usage },
  refusals: ['validation_failed'],
  summary: 'Upload daily usage',
  description:
    'Replaces one row for each product, device key and date, so that sending the same again changes nothing. One bad row refuses the whole batch. Without consent nothing is stored.',
});
