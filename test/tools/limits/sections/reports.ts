import {
  CONTEXT_BYTES,
  ERROR_BYTES_OF_ADDRESS,
  ERROR_BYTES_OF_STORE,
  MESSAGE_BYTES,
  REPORT_BYTES,
  TRACE_BYTES,
} from '../../../../domain/support/kept-report.ts';
import { constant } from '../constant.ts';
import { bytes, days, type Row, type Section } from '../row.ts';

const TICKET = 'domain/support/ticket.ts';
const ANSWER = 'domain/support/ticket-answer.ts';
const OVERFLOW = 'domain/support/error-overflow.ts';
const KEPT = 'domain/support/kept-report.ts';
const UNTIL_MIDNIGHT = 'until midnight UTC';

const TICKETS: readonly Row[] = [
  {
    what: 'new tickets; the same report within 24 hours joins its ticket and counts for none',
    bound: constant(TICKET, 'most'),
    per: 'account and day (UTC)',
    seen: '429',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'a ticket, with all that belongs to it',
    bound: constant(TICKET, 'TICKETS_KEPT_DAYS'),
    as: days,
    per: 'ticket',
    seen: '–',
    lifetime: '1,096 days after its opening',
  },
  {
    what: 'reports that joined a ticket whose details are kept',
    bound: constant(TICKET, 'JOINED_KEPT'),
    per: 'ticket',
    seen: 'nothing; the newest are kept',
    lifetime: 'as long as the ticket',
  },
  {
    what: 'characters of an answer to a ticket',
    bound: constant(ANSWER, 'MAX_ANSWER'),
    per: 'answer',
    seen: 'the command refuses it',
    lifetime: 'as long as the ticket',
  },
  {
    what: 'answers to a ticket',
    bound: constant(ANSWER, 'MAX_ANSWERS'),
    per: 'ticket',
    seen: 'the command refuses it',
    lifetime: 'as long as the ticket',
  },
  {
    what: 'bytes of reports’ files',
    bound: constant(TICKET, 'FILE_BYTES_A_DAY'),
    as: bytes,
    per: 'account and day (UTC)',
    seen: 'the report is accepted without its file',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'reports of a ticket whose files are kept',
    bound: constant(TICKET, 'FILES_KEPT'),
    per: 'ticket',
    seen: 'the report is accepted without its file',
    lifetime: '–',
  },
  {
    what: 'file of a report',
    bound: constant(TICKET, 'FILES_KEPT_DAYS'),
    as: days,
    per: 'file',
    seen: '–',
    lifetime: '90 days',
  },
];

const kept = (value: number) => ({ value, file: KEPT });

const ERRORS: readonly Row[] = [
  {
    what: 'bytes of error reports, with their groups',
    bound: kept(ERROR_BYTES_OF_ADDRESS.most),
    as: bytes,
    per: 'caller (the network address of one without a key) and day (UTC)',
    seen: '201; the report is counted in its group and not kept',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'bytes of error reports of all callers, with their groups',
    bound: kept(ERROR_BYTES_OF_STORE.most),
    as: bytes,
    per: 'store and day (UTC)',
    seen: '201; the report is counted in its group and not kept',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'message, trace, context and whole of an error report that are kept',
    bound: [MESSAGE_BYTES, TRACE_BYTES, CONTEXT_BYTES, REPORT_BYTES].map(kept),
    as: (...sizes) => sizes.map(bytes).join(', '),
    per: 'error report',
    seen: '201; the beginning of each text is kept',
    lifetime: '90 days',
  },
  {
    what: 'new groups of errors of one application',
    bound: constant(OVERFLOW, 'NEW_GROUPS_OF_APP'),
    per: 'application and day (UTC)',
    seen: '201; further errors share one group',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'new groups of errors of all applications',
    bound: constant(OVERFLOW, 'NEW_GROUPS_OF_STORE'),
    per: 'store and day (UTC)',
    seen: '201; further errors share one group',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'error reports of a group that a process counts and keeps one by one; one in ten after them, and one in a hundred after 1,000',
    bound: constant('domain/support/report-sampling.ts', 'COUNTED_SINGLY'),
    per: 'group, process and minute',
    seen: '201; a report that is counted stands for those that are not',
    lifetime: 'the clock minute',
  },
  {
    what: 'error reports that are kept of a group',
    bound: constant('domain/support/error-report.ts', 'REPORTS_KEPT'),
    per: 'group',
    seen: 'nothing; the newest are kept',
    lifetime: '90 days',
  },
];

export const REPORTS: Section = { title: 'Tickets and error reports', rows: [...TICKETS, ...ERRORS] };
