import { licensingHandlers } from '../../../adapters/pipeline/handlers/licensing.ts';
import { mergeAccounts } from '../../../application/accounts/accounts.ts';
import { seatDevice } from '../../../application/devices/slots.ts';
import { grantEntitlement } from '../../../application/licensing/access.ts';
import { answerLicense } from '../../../application/licensing/license-answer.ts';
import { withParts } from '../area.ts';
import { accountErasures } from './accounts.ts';

/** Licenses and their devices. */
export const licensing = withParts(licensingHandlers, {
  accountErasures,
  seatDevice,
  grantEntitlement,
  mergeAccounts,
  answerLicense,
});
