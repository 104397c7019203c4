import { supportHandlers } from '../../../adapters/pipeline/handlers/support.ts';
import { listReports, showReport } from '../../../application/support/reports.ts';
import {
  answerTicket,
  closeTicket,
  linkReportFiles,
  openReportFile,
  reopenTicket,
} from '../../../application/support/tickets.ts';
import { withParts } from '../area.ts';

/** Reports of errors and problems. */
export const support = withParts(supportHandlers, {
  listReports,
  showReport,
  openReportFile,
  linkReportFiles,
  closeTicket,
  reopenTicket,
  answerTicket,
});
