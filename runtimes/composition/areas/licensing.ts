import { licensingHandlers } from '../../../adapters/pipeline/handlers/licensing.ts';
import { checkLicense } from '../../../application/licensing/check-license.ts';
import { grantEntitlement } from '../../../application/licensing/grant-entitlement.ts';
import { licenseTokens } from '../../../application/licensing/license-tokens.ts';
import { revokeLicenseDevice } from '../../../application/licensing/revoke-license-device.ts';
import { seatDevice } from '../../../application/licensing/seat-device.ts';
import { showLicense } from '../../../application/licensing/show-license.ts';
import * as apiLicensing from '../../../ports/inbound/api/licensing.ts';

/** Licenses and their devices. */
export const licensing = {
  parts: {
    licenseTokens,
    seatDevice,
    checkLicense,
    showLicense,
    revokeLicenseDevice,
    grantEntitlement,
  },
  endpoints: apiLicensing,
  handlers: licensingHandlers,
};
