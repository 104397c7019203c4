import type { ReceiveErrorReport } from '../../../application/support/receive-error-report.ts';
import type { ReceiveSupportReport } from '../../../application/support/receive-support-report.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';

export type SupportUseCases = { receiveErrorReport: ReceiveErrorReport; receiveSupportReport: ReceiveSupportReport };

export const supportHandlers = (use: SupportUseCases): HandlersOf<'reportError' | 'reportProblem'> => ({
  reportError: async ({ body, admitted }) => {
    const { os_version = null, device_model = null, stack_trace = null, context = null } = body;
    const details = { ...body, os_version, device_model, stack_trace, context };
    return ok(await use.receiveErrorReport.execute({ details, admitted }));
  },
  reportProblem: async ({ key, body, file, admitted }) => {
    const { app_bundle_id, app_version, macos_version, device_id } = body;
    const report = {
      ...body,
      app_bundle_id: app_bundle_id || null,
      app_version: app_version || null,
      macos_version: macos_version || null,
      device_id: device_id || null,
    };
    return ok(await use.receiveSupportReport.execute({ key, report, file, admitted }));
  },
});
