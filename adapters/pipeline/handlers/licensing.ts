import type { CheckLicense } from '../../../application/licensing/check-license.ts';
import type { RevokeLicenseDevice } from '../../../application/licensing/revoke-license-device.ts';
import type { ShowLicense } from '../../../application/licensing/show-license.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';

export type LicensingUseCases = {
  checkLicense: CheckLicense;
  showLicense: ShowLicense;
  revokeLicenseDevice: RevokeLicenseDevice;
};

type Answered = 'checkLicense' | 'getProductLicense' | 'revokeLicenseDevice';

export const licensingHandlers = (use: LicensingUseCases): HandlersOf<Answered> => ({
  checkLicense: ({ key, body, admitted }) => use.checkLicense.execute({ key, question: body, admitted }),
  getProductLicense: async ({ key, product, access, locale }) =>
    ok(await use.showLicense.execute({ accountId: key.account_id, product, access, locale })),
  revokeLicenseDevice: async ({ key, product, admitted }) =>
    ok(await use.revokeLicenseDevice.execute({ key, product, admitted })),
});
