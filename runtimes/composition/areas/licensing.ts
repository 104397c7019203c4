import { licensingHandlers } from '../../../adapters/pipeline/handlers/licensing.ts';
import { seatDevice } from '../../../application/devices/slots.ts';
import { grantEntitlement } from '../../../application/licensing/access.ts';
import { answerLicense } from '../../../application/licensing/license-answer.ts';
import { withParts } from '../area.ts';

/** Licenses and their devices. */
export const licensing = withParts(licensingHandlers, { seatDevice, grantEntitlement, answerLicense });
