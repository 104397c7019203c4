import {
  BulkActivationData,
  BundleListData,
  DeviceEntitlementsData,
  InstallRecordData,
  UsageStoredData,
} from './answers/devices.ts';
import { bodyExamples } from './examples/bodies.ts';
import { examples } from './examples/examples.ts';

export const devicesDocumentation = {
  listBundles: {
    group: 'Device',
    summary: 'List the product bundles',
    description: 'The bundles on sale, each with its products. `entitled` tells whether this account owns the bundle.',
    answer: { schema: BundleListData, example: examples.bundles },
  },
  logoutDevice: {
    group: 'Device',
    summary: 'Sign this device out',
    description:
      'Revokes the calling key and the product keys that its bulk activation made, and releases the slots that the key’s device holds in all products of the account. A key that is bound to one product releases the slot of that product alone. `X-Released-Slots` tells how many slots were released; a key that was issued to no device releases none.',
    counted: 'Device slots that this sign-out released.',
  },
  bulkActivate: {
    group: 'Device',
    summary: 'Make a device key for every accessible product',
    description:
      'Makes one key for each product that the account may use. The value of a key is shown only in this answer. A product that already has a key from this device is reported as `existing`, so that a repeated call makes no second key. If the answer was lost, call again with the same `Idempotency-Key` within 24 hours, or without one between 5 seconds and 10 minutes later: a key that nobody has used is then revoked and made anew with status `created`.',
    answer: { schema: BulkActivationData, example: examples.bulkActivation },
  },
  getDeviceEntitlements: {
    group: 'Device',
    summary: 'Get the entitlements of this device',
    description:
      'The products, subscriptions and bundles of the account, with the device and the user. A device calls this when it starts.',
    answer: { schema: DeviceEntitlementsData, example: examples.deviceEntitlements },
  },
  recordInstall: {
    group: 'Device',
    summary: 'Record an install',
    description: 'Records the version of a product that a device has installed, and the time of the install.',
    bodyExample: bodyExamples.recordInstall,
    answer: { schema: InstallRecordData, example: examples.installRecord },
  },
  uploadUsage: {
    group: 'Device',
    summary: 'Upload daily usage',
    description:
      'Stores one row for each product, device key and date. A row replaces the earlier one, so that sending the same rows again changes nothing. A date may lie at most one day ahead and 366 days behind (UTC), and a row is kept for 400 days after its date. One faulty row refuses the whole batch. An account can send 8 MiB of rows in a day (UTC); further rows are 429 until midnight. Without consent nothing is stored.',
    bodyExample: bodyExamples.uploadUsage,
    answer: { schema: UsageStoredData, example: examples.usage },
  },
} as const;
