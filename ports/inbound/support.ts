import { bodyExamples } from './body-examples.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { ErrorReceiptData, ErrorReportBody, SupportReportBody, SupportTicketData } from './schemas/support.ts';

const group = 'Support';

const MIB = 1024 * 1024;

export const reportError = endpoint({
  id: 'reportError',
  host: 'api',
  method: 'POST',
  path: '/api/error-reports',
  group,
  access: { credential: 'none' },
  perMinute: 5,
  body: ErrorReportBody,
  bodyExample: bodyExamples.reportError,
  // The longest message and stack trace have 60,000 characters, each up to six bytes where JSON escapes it.
  bodyLimit: MIB / 2,
  output: { kind: 'json', status: 201, schema: ErrorReceiptData, example: examples.errorReceipt },
  refusals: [],
  summary: 'Report an error',
  description:
    'A crash, an exception or a warning, told without a credential, five times a minute from one address. Credentials, e-mail addresses and the names of home directories are taken out before anything is kept. Reports of the same error are counted together; the newest 20 of each are kept, for 90 days. Of an application 1000 new errors a day are told apart; what is beyond that is counted as one.',
});

export const reportProblem = endpoint({
  id: 'reportProblem',
  host: 'api',
  method: 'POST',
  path: '/api/support/reports',
  group,
  access: { credential: 'key', ability: 'support.report' },
  idempotent: true,
  body: SupportReportBody,
  bodyExample: bodyExamples.reportProblem,
  bodyLimit: MIB / 4,
  upload: { part: 'bundle', maxBytes: 20 * MIB, required: false },
  output: {
    kind: 'json',
    status: 201,
    schema: SupportTicketData,
    example: examples.supportTicket,
    joinedBy: 'deduplicated',
    joinedExample: examples.supportTicketJoined,
  },
  refusals: [],
  summary: 'Report a problem',
  description:
    'Opens a ticket. The same kind, app and text from the same account within 24 hours joins it, which answers 200. `bundle` is a file of diagnostics, sent as multipart/form-data; it is kept for 90 days as it came, never opened, and shown to nobody but the operator. Of one ticket 20 files are kept, and of one account 200 MiB a day; beyond that the report is taken in without its file.',
});
