import { inGroup } from '../documented.ts';

export const apiDevicesTexts = inGroup('Device', {
  listBundles: {
    summary: 'List the product bundles',
    description: 'The bundles on sale, each with its products. `entitled` tells whether this account owns the bundle.',
    tool: {
      description: 'Lists the bundles on sale with their products; `entitled` tells whether the account owns one.',
    },
  },
  logoutDevice: {
    summary: 'Sign this device out',
    description:
      'Revokes the calling key and the product keys that its bulk activation made, and releases the slots that the key’s device holds in all products of the account. A key that is bound to one product releases the slot of that product alone. `X-Released-Slots` tells how many slots were released; a key that was issued to no device releases none. A license key stays, because other devices have it.',
    tool: {
      description:
        'Revokes the API key of this connection and the product keys made from it, and frees the device slots of its device. Ask the user first: the connection stops working, for good.',
    },
    counted: 'Device slots that this sign-out released.',
  },
  bulkActivate: {
    summary: 'Make a device key for every accessible product',
    description:
      'Makes one key for each product that the account may use. The value of a key is shown only in this answer. A product that already has a key from this device is reported as `existing`, so that a repeated call makes no second key. If the answer was lost, call again with the same `Idempotency-Key` within 24 hours, or without one between 5 seconds and 10 minutes later: a key that nobody has used is then revoked and made anew with status `created`.',
    tool: {
      title: 'Make a key for every product',
      description:
        'Makes one API key for each product of the account, for the device of this key. The values are secrets and shown only once: store them where the user asked for, and never repeat them in a conversation.',
    },
  },
  getDeviceEntitlements: {
    summary: 'Get the entitlements of this device',
    description:
      'The products, subscriptions and bundles of the account, with the device and the user. A device calls this when it starts.',
    tool: {
      title: 'Show what this device may use',
      description:
        'Shows the products, subscriptions and bundles of the account together with this device and its user.',
    },
  },
  recordInstall: {
    summary: 'Record an install',
    description: 'Records the version of a product that a device has installed, and the time of the install.',
    tool: {
      description:
        'Tells the store which version of a product was just installed. Call it once after an install succeeded, with `version`, `release_id` and `sha256` of the plan.',
    },
    bodyExample: {
      product_id: 4,
      version: '1.2.0',
      installed_at: '2026-11-20T08:44:00Z',
      release_id: 43,
      artifact_sha256: '2d3489787f9fb01349550b1501165b86d688827a6653b1f9a79ef1f3e3eccbfb',
    },
  },
  uploadUsage: {
    summary: 'Upload daily usage',
    description:
      'Stores one row for each product, device key and date. A row replaces the earlier one, so that sending the same rows again changes nothing. `commands` has counts by command; it is kept as it came, and is added up for the shop by day. A date may lie at most one day ahead and 366 days behind (UTC), and a row is kept for 400 days after its date. One faulty row refuses the whole batch. An account can send 8 MiB of rows in a day (UTC); further rows are 429 until midnight. Without consent nothing is stored.',
    tool: {
      description:
        'Stores how often products were used, one row for each product and day; a row replaces the earlier one. Send `consent: true` only if the user agreed; without consent nothing is stored.',
    },
    bodyExample: {
      consent: true,
      days: [{ product_id: 4, usage_date: '2026-11-20', launches: 12, commands: { verify: 9 } }],
    },
  },
});
