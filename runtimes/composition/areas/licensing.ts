import { releaseLicenseDevice } from '../../../application/devices/release-device.ts';
import { revokeLicenseDevice } from '../../../application/devices/sign-out.ts';
import { seatDevice } from '../../../application/devices/slots.ts';
import { grantEntitlement, showLicense } from '../../../application/licensing/access.ts';
import { checkLicense } from '../../../application/licensing/check-license.ts';
import { keyOf } from '../../../domain/access/principal.ts';
import * as apiLicensing from '../../../ports/inbound/api/licensing.ts';
import { area } from '../area.ts';

/** Licenses and their devices. */
export const licensing = area({
  parts: {
    seatDevice,
    checkLicense,
    showLicense,
    releaseLicenseDevice,
    revokeLicenseDevice,
    grantEntitlement,
  },
  endpoints: apiLicensing,
  handlers: (use) => ({
    checkLicense: ({ caller, body, locale }) => {
      const key = keyOf(caller);
      return use.checkLicense({
        account_id: caller.account_id,
        scope: caller,
        device: key?.device ?? null,
        suspended: key?.suspended === true,
        question: body,
        locale,
      });
    },
    getProductLicense: ({ caller, product, locale }) =>
      use.showLicense({ account_id: caller.account_id, product, locale }),
    releaseLicenseDevice: ({ caller, body, locale }) =>
      use.releaseLicenseDevice({ account_id: caller.account_id, scope: caller, ...body, locale }),
    revokeLicenseDevice: ({ key, product, body, locale }) =>
      use.revokeLicenseDevice({ key, product, device_id: body.device_id, locale }),
  }),
});
