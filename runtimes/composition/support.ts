import { CloseTicket } from '../../application/support/close-ticket.ts';
import { ListReports } from '../../application/support/list-reports.ts';
import { OpenReportFile } from '../../application/support/open-report-file.ts';
import { ReceiveErrorReport } from '../../application/support/receive-error-report.ts';
import { ReceiveSupportReport } from '../../application/support/receive-support-report.ts';
import { ShowReport } from '../../application/support/show-report.ts';
import { areaModule, type Overrides } from './binder.ts';

export const support = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('receiveErrorReport', ReceiveErrorReport, ({ errorReports, digest, ids, clock, pauses }) => ({
        errorReports,
        digest,
        ids,
        clock,
        pauses,
      }))
      .part('receiveSupportReport', ReceiveSupportReport, ({ tickets, objects, ids, clock, pauses }) => ({
        tickets,
        objects,
        ids,
        clock,
        pauses,
      }))
      .part('listReports', ListReports, ({ errorReports, tickets, clock }) => ({ errorReports, tickets, clock }))
      .part('showReport', ShowReport, ({ accounts, errorReports, tickets, clock }) => ({
        accounts,
        errorReports,
        tickets,
        clock,
      }))
      .part('openReportFile', OpenReportFile, ({ tickets, objects }) => ({ tickets, objects }))
      .part('closeTicket', CloseTicket, ({ tickets }) => ({ tickets })),
  );
