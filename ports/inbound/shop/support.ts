import * as z from 'zod';
import { MAX_ANSWER } from '../../../domain/support/ticket.ts';
import {
  laxBoolean,
  orNull,
  pathId,
  pathText,
  prose,
  queryInstant,
  queryInteger,
  queryOneOf,
  queryStretch,
  queryText,
} from '../fields.ts';
import { MADE, shopEndpoints } from './terms.ts';

const params = z.object({ ticket: pathId('id of the ticket') });
const shop = shopEndpoints('support');

export const listReports = shop({
  id: 'listReports',
  path: '/api/shop/reports',
  query: z.object({
    kind: queryOneOf(['error', 'support'], 'Errors of applications, or tickets of buyers.'),
    status: queryOneOf(['open', 'closed'], 'Only tickets of this status.'),
    app: queryText(255, 'Only reports of the application with this bundle id.'),
    since: queryInstant('Only reports from this moment on.'),
    ...queryStretch('moment'),
  }),
  tool: { name: 'shop_list_reports', effect: 'reads' },
});

export const showReport = shop({
  id: 'showReport',
  path: '/api/shop/reports/{report}',
  params: z.object({ report: pathText('id of the ticket, or of the errors') }),
  tool: { name: 'shop_show_report', effect: 'reads' },
});

export const answerTicket = shop({
  id: 'answerTicket',
  method: 'POST',
  path: '/api/shop/tickets/{ticket}/answers',
  params,
  body: z
    .object({
      text: prose(MAX_ANSWER, 1),
      close: orNull(laxBoolean).meta({ description: 'close the ticket too' }),
    })
    .meta({ id: 'ShopAnswerBody' }),
  output: MADE,
  tool: { name: 'shop_answer_ticket', effect: 'adds' },
});

export const closeTicket = shop({
  id: 'closeTicket',
  method: 'POST',
  path: '/api/shop/tickets/{ticket}/closing',
  params,
  tool: { name: 'shop_close_ticket', effect: 'replaces' },
});

export const reopenTicket = shop({
  id: 'reopenTicket',
  method: 'POST',
  path: '/api/shop/tickets/{ticket}/reopening',
  params,
  tool: { name: 'shop_reopen_ticket', effect: 'replaces' },
});

export const listAudit = shop({
  id: 'listAudit',
  path: '/api/shop/audit',
  access: { credential: 'agent', role: 'everything' },
  query: z.object({
    account_id: queryInteger('Only changes of this account’s records, and those made by it.'),
    product: queryText(200, 'Only changes about this product, by id or slug.'),
    action: queryText(100, 'Only this action, such as `order.refunded`, or the actions on one kind of record.'),
    subject: queryText(300, 'Only changes of the record with this id.'),
    since: queryInstant('Only changes from this moment on.'),
    until: queryInstant('Only changes up to this moment.'),
    ...queryStretch('moment'),
  }),
  tool: { name: 'shop_list_changes', effect: 'reads', renames: { account_id: 'account' } },
});
