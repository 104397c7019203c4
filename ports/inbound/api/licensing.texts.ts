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
});
