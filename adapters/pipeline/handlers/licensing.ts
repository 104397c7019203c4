import type { CheckLicense } from '../../../application/licensing/check-license.ts';
import type { RevokeLicenseDevice } from '../../../application/licensing/revoke-license-device.ts';
import type { ShowLicense } from '../../../application/licensing/show-license.ts';
import { keyOf } from '../../../domain/access/principal.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly checkLicense: CheckLicense;
  readonly showLicense: ShowLicense;
  readonly revokeLicenseDevice: RevokeLicenseDevice;
};

export type Answered = 'checkLicense' | 'getProductLicense' | 'revokeLicenseDevice';

export const licensingHandlers = (use: UseCases): HandlersOf<Answered> => ({
  checkLicense: ({ caller, body, locale, permit }) =>
    use.checkLicense({
      accountId: caller.account_id,
      scope: caller,
      device: keyOf(caller)?.device ?? null,
      suspended: keyOf(caller)?.suspended === true,
      question: body,
      locale,
      permit,
    }),
  getProductLicense: async ({ caller, product, access, locale }) =>
    ok(await use.showLicense({ accountId: caller.account_id, product, access, locale })),
  revokeLicenseDevice: async ({ key, product, locale, permit }) =>
    ok(await use.revokeLicenseDevice({ key, product, locale, permit })),
});
