import { AUDIT, listAudit } from '../../../../application/audit/list-audit.ts';
import { listVersionsInUse } from '../../../../application/devices/versions-in-use.ts';
import { listReports, REPORTS, showReport } from '../../../../application/support/reports.ts';
import { answerTicket, closeTicket, linkReportFiles, reopenTicket } from '../../../../application/support/tickets.ts';
import { actorsNamed } from '../../../../domain/access/actor.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as shopSupport from '../../../../ports/inbound/shop/support.ts';
import { handling } from '../handling.ts';
import { oneMore, page, read, write } from './answers.ts';
import { reading, writing } from './shop-handling.ts';

export const shopSupportHandlers = handling(
  shopSupport,
  { listVersionsInUse, listReports, showReport, linkReportFiles, answerTicket, closeTicket, reopenTicket, listAudit },
  (use) => ({
    listVersionsInUse: reading(use.listVersionsInUse),
    closeTicket: writing(use.closeTicket),
    reopenTicket: writing(use.reopenTicket),
    // A count is read by adding zero, which the guards treat as a write.
    listReports: async ({ query }) =>
      write(async () => ok(page(query, REPORTS[query.sort ?? 'newest'])(await use.listReports(oneMore(query))))),
    showReport: async ({ params }) =>
      write(async () => {
        const report = await use.showReport(params.report);
        if (!report.ok || report.value.kind !== 'support') return report;
        return ok({ ...report.value, files: await use.linkReportFiles(report.value.files) });
      }),
    answerTicket: async ({ params, body, files }) =>
      write((permit) => use.answerTicket(permit, { id: params.ticket, ...body, ...files })),
    listAudit: ({ query, progress }) =>
      read(
        use.listAudit({ ...oneMore(query), by: actorsNamed(query.by ?? '') }, (days, total) =>
          progress('Reading the log', days, total),
        ),
        page(query, AUDIT),
      ),
  }),
);
