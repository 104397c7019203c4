import { receiveErrorReport } from '../../../application/support/receive-error-report.ts';
import { receiveSupportReport } from '../../../application/support/receive-support-report.ts';
import { listReports, showReport } from '../../../application/support/reports.ts';
import {
  answerTicket,
  closeTicket,
  linkReportFiles,
  openReportFile,
  reopenTicket,
} from '../../../application/support/tickets.ts';
import * as apiSupport from '../../../ports/inbound/api/support.ts';
import { area } from '../area.ts';

/** Reports of errors and problems. */
export const support = area({
  parts: {
    receiveErrorReport,
    receiveSupportReport,
    listReports,
    showReport,
    openReportFile,
    linkReportFiles,
    closeTicket,
    reopenTicket,
    answerTicket,
  },
  endpoints: apiSupport,
  handlers: (use) => ({
    reportError: ({ owner, body }) => use.receiveErrorReport({ details: body, sender: owner }),
    reportProblem: ({ caller, body, files }) =>
      use.receiveSupportReport({ account_id: caller.account_id, report: body, file: files.bundle }),
  }),
});
