import type { ReceiveErrorReport } from '../../../application/support/receive-error-report.ts';
import type { ReceiveSupportReport } from '../../../application/support/receive-support-report.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly receiveErrorReport: ReceiveErrorReport;
  readonly receiveSupportReport: ReceiveSupportReport;
};

export const supportHandlers = (use: UseCases): HandlersOf<'reportError' | 'reportProblem'> => ({
  reportError: async ({ owner, body, permit }) =>
    ok(await use.receiveErrorReport({ details: body, sender: owner, permit })),
  reportProblem: ({ caller, body, files, permit }) =>
    use.receiveSupportReport({ accountId: caller.account_id, report: body, file: files.bundle, permit }),
});
