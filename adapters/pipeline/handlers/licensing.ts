import { releaseLicenseDevice } from '../../../application/devices/release-device.ts';
import { revokeLicenseDevice } from '../../../application/devices/sign-out.ts';
import { showLicense } from '../../../application/licensing/access.ts';
import { checkLicense } from '../../../application/licensing/check-license.ts';
import { redeemKey } from '../../../application/licensing/claim-key.ts';
import { leaseLicense, listLeases, releaseLease, returnLease } from '../../../application/licensing/leases.ts';
import { startTrial } from '../../../application/licensing/trials.ts';
import * as apiLicensing from '../../../ports/inbound/api/licensing.ts';
import { handling } from './handling.ts';

export const licensingHandlers = handling(
  apiLicensing,
  {
    checkLicense,
    startTrial,
    showLicense,
    releaseLicenseDevice,
    revokeLicenseDevice,
    leaseLicense,
    returnLease,
    listLeases,
    releaseLease,
    redeemKey,
  },
  (use) => ({
    checkLicense: (call) => use.checkLicense(call),
    startTrial: (call) => use.startTrial(call),
    getProductLicense: (call) => use.showLicense(call),
    redeemLicenseKey:
      async ({ account_id, body }) =>
      ({ permit }) =>
        use.redeemKey(permit, account_id, body.key),
    releaseLicenseDevice: (call) => use.releaseLicenseDevice(call),
    leaseLicense: (call) => use.leaseLicense(call),
    returnLease: (call) => use.returnLease(call),
    listLeases: (call) => use.listLeases(call),
    releaseLease: (call) => use.releaseLease(call),
    revokeLicenseDevice: (call) => use.revokeLicenseDevice(call),
  }),
);
