import { DeviceRevocationData, LicenseDecisionData, ProductLicenseData } from './answers/licensing.ts';
import { bodyExamples } from './examples/bodies.ts';
import { examples } from './examples/examples.ts';

export const licensingDocumentation = {
  checkLicense: {
    group: 'License',
    summary: 'Check a license',
    description:
      'The authoritative decision for a product, named by `product_id` or `bundle_id`. A device that holds a slot always passes. A new device takes a free slot; if there is none, the answer is 409 with the devices in use, at most 100 of them, and the URL where the user can release one. Without `device_id`, the device that the key was issued to counts. If the key was issued to no device, the decision is for the account alone: it takes no slot and has no `token`. An application must name its device to get a token for running offline. A refusal such as `access_expired`, whose `access_expires_at` is the end, is a 200 with `valid: false`, also for a product that is no longer on sale. `message` is a sentence to show to the user, in Korean or English, also of the 409. A device that the client policy revokes is refused with `device_revoked`, and its slot is free for the next device.',
    bodyExample: bodyExamples.checkLicense,
    answer: { schema: LicenseDecisionData, example: examples.licenseDecision },
  },
  getProductLicense: {
    group: 'License',
    summary: 'Get the license of a product',
    description:
      'The account’s access to the product, and the devices that use it. `devices.used` counts all of them; `device_list` has at most 100.',
    pathExamples: { product: 4 },
    answer: { schema: ProductLicenseData, example: examples.productLicense },
  },
  revokeLicenseDevice: {
    group: 'License',
    summary: 'Sign this device out of a product',
    description:
      'Revokes the calling key, which must be bound to the product, and releases the slot of the device that the key was issued to. `released_device_id` and `message` say what was released: a key that was issued to no device releases no slot. The call works even after the access to the product has ended.',
    pathExamples: { product: 4 },
    answer: { schema: DeviceRevocationData, example: examples.deviceRevocation },
  },
} as const;
