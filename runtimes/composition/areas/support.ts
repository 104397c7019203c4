import { answerTicket } from '../../../application/support/answer-ticket.ts';
import { closeTicket } from '../../../application/support/close-ticket.ts';
import { listReports } from '../../../application/support/list-reports.ts';
import { openReportFile } from '../../../application/support/open-report-file.ts';
import { receiveErrorReport } from '../../../application/support/receive-error-report.ts';
import { receiveSupportReport } from '../../../application/support/receive-support-report.ts';
import { reopenTicket } from '../../../application/support/reopen-ticket.ts';
import { showReport } from '../../../application/support/show-report.ts';
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
    closeTicket,
    reopenTicket,
    answerTicket,
  },
  endpoints: apiSupport,
  handlers: (use) => ({
    reportError: ({ owner, body }) => use.receiveErrorReport({ details: body, sender: owner }),
    reportProblem: ({ caller, body, files }) =>
      use.receiveSupportReport({ accountId: caller.account_id, report: body, file: files.bundle }),
  }),
});
