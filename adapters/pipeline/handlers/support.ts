import { receiveErrorReport } from '../../../application/support/receive-error-report.ts';
import { receiveSupportReport } from '../../../application/support/receive-support-report.ts';
import * as apiSupport from '../../../ports/inbound/api/support.ts';
import { handling } from './handling.ts';

export const supportHandlers = handling(apiSupport, { receiveErrorReport, receiveSupportReport }, (use) => ({
  reportError: (call) => use.receiveErrorReport(call),
  reportProblem: (call) => use.receiveSupportReport(call),
}));
