import { inGroup } from '../documented.ts';

export const apiLicensingTexts = inGroup('License', {
  checkLicense: {
    summary: 'Check a license',
    description:
      'The authoritative decision for a product, named by `product_id` or `bundle_id`. A device that holds a slot always passes. A new device takes a free slot; if there is none, the answer is 409 with the devices in use, at most 100 of them, and the URL where the user can release one. Without `device_id`, the device that the key was issued to counts. If the key was issued to no device, the decision is for the account alone: it takes no slot and has no `token`. An application must name its device to get a token for running offline. A refusal such as `access_expired`, whose `access_expires_at` is the end, is a 200 with `valid: false`, also for a product that is no longer on sale. `message` is a sentence to show to the user, in Korean or English, also of the 409. A device that the client policy revokes is refused with `device_revoked`, and its slot is free for the next device. A product may refuse a device that two machines use with `device_shared`. `device`, `devices_used`, `device_limit` and `manage_url` are the same in the 200 and in the 409; `devices` is the pair of `used` and `limit` in the one, and the list in the other.',
    tool: {
      description:
        'Decides whether a device may run a product, named by `product_id` or `bundle_id`; `code` says why not. A `device_id` that is new to the product takes one of its device slots, so ask the user first.',
    },
    bodyExample: { product_id: 4, device_id: 'macbook-7f3a', app_version: '1.2.0' },
  },
  leaseLicense: {
    summary: 'Take, renew or borrow a session',
    description:
      'For a product whose `slots` are `sessions`: a session takes one of the license’s slots for some minutes, and the answer has the members of a license check, with `lease` and `sessions`. Without `lease_id` it is a new session; with it, the session keeps its slot, also after the limit was lowered. Renew it after `renew_after`. A lease that was lost gets another slot and `lease_id`, if one is free. `borrow_days` holds the slot for days; renew a lease with it, so that a lost answer holds no second slot. A device that has forgotten the id of its borrowed session gets it back. If all slots are taken, the answer is 409 with at most 100 of the sessions. `token` is valid until the end of the lease. `device` is the machine of the session, and `devices` has the numbers of `sessions`. A license has at most 1,000 sessions.',
    bodyExample: { product_id: 7, device_id: 'lab-pc-12', app_version: '3.1.0' },
  },
  returnLease: {
    summary: 'Give back a session',
    description:
      'Frees the slot of a session, at the exit of its application. A session that holds no slot is answered with `returned: false`, so that a call can be repeated. So is a borrowed session: its token runs offline, so it holds its slot until its end.',
    bodyExample: { product_id: 7, lease_id: '0f3a5c7e9b1d2f4a6c8e0b1d3f5a7c9e' },
  },
  listLeases: {
    summary: 'List the sessions of a product',
    description:
      'The sessions that hold a slot of a product whose `slots` are `sessions`. The key needs `devices.manage`, because a `lease_id` ends a session.',
    tool: {
      title: 'List sessions',
      description: 'Shows which machines hold the session slots of a floating license, since when and until when.',
    },
  },
  releaseLease: {
    summary: 'End a session of a product',
    description:
      'Frees the slot of any session of the account. The key needs `devices.manage`, which only a person gives. The application stops at its next renewal, or at the end of its token. A borrowed session holds its slot until `borrowed_until`; the store can end it earlier. An account’s keys release and make at most 1,000 in a day (UTC); more are 429.',
    tool: {
      title: 'End a session',
      description:
        'Frees a session slot, by the `product_id` and the `lease_id` that list_leases shows; ask the user first which one.',
    },
    bodyExample: { product_id: 7, lease_id: '0f3a5c7e9b1d2f4a6c8e0b1d3f5a7c9e' },
  },
  startTrial: {
    summary: 'Start a trial',
    description:
      'Starts the trial of a product that has `trial_days`, without an account, and answers like a license check with `access_source: "trial"`. A device gets one trial of a product: a repeated call answers for the same one, until two years after its end. `access_expires_at` is its end, to which the `token` is good offline (`sub` and `access_source` are `trial`, `trial` is true). It has the features of the highest edition. After the end, the answer is a 200 with `code: "trial_ended"` and no token. The store keeps a hash of the product and the device id, and neither the name nor the address. The trial takes no slot: once its user has bought the product, the application checks the license with a key on the same device. A product without a trial is 409. An address starts at most 200 trials in a day (UTC), and a product gets at most 10,000; more are 429.',
    bodyExample: { product_id: 4, device_id: 'macbook-7f3a', app_version: '1.2.0' },
  },
  getProductLicense: {
    summary: 'Get the license of a product',
    description:
      'The account’s access to the product, and the devices that use it. `devices.used` counts all of them; `device_list` has at most 100.',
    tool: {
      title: 'Show a product’s license',
      description:
        'Shows the account’s access to a product, its end, and the devices that hold a slot. It takes no slot, so use it to look before check_license.',
    },
  },
  releaseLicenseDevice: {
    summary: 'Release a device of a product',
    description:
      'Releases the slot of any device of the account, named as the license of the product lists it. The key needs `devices.manage`, which only a person gives; sign-in keys of devices and license keys never have it. The device’s own key lives on and may take a free slot again. An offline file of the device holds the slot until `offline_until`. A device that holds no slot is answered with `released: false`, so that a call can be repeated. An account’s keys release and make at most 1,000 in a day (UTC); more are 429.',
    tool: {
      title: 'Release a device',
      description:
        'Frees the slot of a device, by the `product_id` and `device_id` that show_product_license lists; ask the user first which one. `offline_until` tells that an offline file holds the slot until then.',
    },
    bodyExample: { product_id: 4, device_id: 'laptop-3' },
  },
  revokeLicenseDevice: {
    summary: 'Sign this device out of a product',
    description:
      'Revokes the calling key, which must be bound to the product, and releases the slot of the device that the key was issued to. `released_device_id` and `message` say what was released: a key that was issued to no device releases no slot. A license key releases the slot of the device in the body, and stays, because other devices have it. The call works even after the access to the product has ended.',
    tool: {
      description:
        'Revokes the API key of this connection, which must be bound to the product, and frees the slot of its device. Ask the user first: the connection stops working.',
    },
    bodyExample: { device_id: 'macbook-7f3a' },
  },
  redeemLicenseKey: {
    summary: 'Redeem a license key',
    description:
      'Binds a license key that was made in advance to the account, and its days begin. If an application used it before, its devices and days come along. A key of another account is refused; a repeated call changes nothing.',
    tool: {
      description: 'Binds a license key that the user got, such as from a giveaway, to the user’s account.',
    },
    bodyExample: { key: 'lic_7f3aQm0ZpX1c' },
  },
});
