import { supportHandlers } from '../../../adapters/pipeline/handlers/support.ts';
import { AnswerTicket } from '../../../application/support/answer-ticket.ts';
import { CloseTicket } from '../../../application/support/close-ticket.ts';
import { ListReports } from '../../../application/support/list-reports.ts';
import { OpenReportFile } from '../../../application/support/open-report-file.ts';
import { ReceiveErrorReport } from '../../../application/support/receive-error-report.ts';
import { ReceiveSupportReport } from '../../../application/support/receive-support-report.ts';
import { ReopenTicket } from '../../../application/support/reopen-ticket.ts';
import { ShowReport } from '../../../application/support/show-report.ts';
import * as apiSupport from '../../../ports/inbound/api/support.ts';
import { part } from '../area.ts';

/** Reports of errors and problems. */
export const support = {
  parts: {
    receiveErrorReport: part(ReceiveErrorReport),
    receiveSupportReport: part(ReceiveSupportReport),
    listReports: part(ListReports),
    showReport: part(ShowReport),
    openReportFile: part(OpenReportFile),
    closeTicket: part(CloseTicket),
    reopenTicket: part(ReopenTicket),
    answerTicket: part(AnswerTicket),
  },
  endpoints: apiSupport,
  handlers: supportHandlers,
};
