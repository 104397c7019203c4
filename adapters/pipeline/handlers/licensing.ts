import { releaseLicenseDevice } from '../../../application/devices/release-device.ts';
import { revokeLicenseDevice } from '../../../application/devices/sign-out.ts';
import { showLicense } from '../../../application/licensing/access.ts';
import { checkLicense } from '../../../application/licensing/check-license.ts';
import * as apiLicensing from '../../../ports/inbound/api/licensing.ts';
import { handling } from './handling.ts';

export const licensingHandlers = handling(
  apiLicensing,
  { checkLicense, showLicense, releaseLicenseDevice, revokeLicenseDevice },
  (use) => ({
    checkLicense: (call) => use.checkLicense(call),
    getProductLicense: (call) => use.showLicense(call),
    releaseLicenseDevice: (call) => use.releaseLicenseDevice(call),
    revokeLicenseDevice: (call) => use.revokeLicenseDevice(call),
  }),
);
