import type { ReceiveErrorReport } from '../../../application/support/receive-error-report.ts';
import type { ReceiveSupportReport } from '../../../application/support/receive-support-report.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

type UseCases = {
  readonly receiveErrorReport: ReceiveErrorReport;
  readonly receiveSupportReport: ReceiveSupportReport;
};

export const supportHandlers = (use: UseCases): HandlersOf<'reportError' | 'reportProblem'> => ({
  reportError: async ({ body, permit }) => ok(await use.receiveErrorReport.execute({ details: body, permit })),
  reportProblem: async ({ caller, body, files, permit }) =>
    ok(
      await use.receiveSupportReport.execute({
        accountId: caller.account_id,
        report: body,
        file: files.bundle,
        permit,
      }),
    ),
});
