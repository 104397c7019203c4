import { licensingHandlers } from '../../../adapters/pipeline/handlers/licensing.ts';
import { CheckLicense } from '../../../application/licensing/check-license.ts';
import { GrantEntitlement } from '../../../application/licensing/grant-entitlement.ts';
import { LicenseTokens } from '../../../application/licensing/license-tokens.ts';
import { RevokeLicenseDevice } from '../../../application/licensing/revoke-license-device.ts';
import { SeatDevice } from '../../../application/licensing/seat-device.ts';
import { ShowLicense } from '../../../application/licensing/show-license.ts';
import * as apiLicensing from '../../../ports/inbound/api/licensing.ts';
import { part } from '../area.ts';

/** Licenses and their devices. */
export const licensing = {
  parts: {
    licenseTokens: part(LicenseTokens),
    seatDevice: part(SeatDevice),
    checkLicense: part(CheckLicense),
    showLicense: part(ShowLicense),
    revokeLicenseDevice: part(RevokeLicenseDevice),
    grantEntitlement: part(GrantEntitlement),
  },
  endpoints: apiLicensing,
  handlers: licensingHandlers,
};
