import { releaseLicenseDevice } from '../../../application/devices/release-device.ts';
import { revokeLicenseDevice } from '../../../application/devices/sign-out.ts';
import { showLicense } from '../../../application/licensing/access.ts';
import { checkLicense } from '../../../application/licensing/check-license.ts';
import { keyOf } from '../../../domain/access/principal.ts';
import * as apiLicensing from '../../../ports/inbound/api/licensing.ts';
import { handling } from './handling.ts';

/** Licenses and their devices. */
export const licensingHandlers = handling(
  apiLicensing,
  { checkLicense, showLicense, releaseLicenseDevice, revokeLicenseDevice },
  (use) => ({
    checkLicense: ({ account_id, scope, caller, body, locale }) => {
      const key = keyOf(caller);
      const ofKey = { device: key?.device ?? null, suspended: key?.suspended === true };
      return use.checkLicense({ account_id, scope, ...ofKey, question: body, locale });
    },
    getProductLicense: (call) => use.showLicense(call),
    releaseLicenseDevice: ({ account_id, scope, body, locale }) =>
      use.releaseLicenseDevice({ account_id, scope, ...body, locale }),
    revokeLicenseDevice: ({ key, product, body, locale }) => use.revokeLicenseDevice({ key, product, ...body, locale }),
  }),
);
