import * as z from 'zod';
import { ACTOR_KINDS, actorsNamed } from '../../../domain/access/actor.ts';
import { MAX_ANSWER, MAX_ATTACHMENT, TICKET_ORDERS } from '../../../domain/support/ticket.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import {
  bodyFlag,
  pathId,
  pathText,
  prose,
  queryInstant,
  queryInteger,
  queryOneOf,
  queryStretch,
  queryText,
} from '../fields.ts';
import { each, list, moment } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

const params = () => z.object({ ticket: pathId('id of the ticket') });
const shop = shopEndpoints('support');

const scalar = once(() => z.union([z.string(), z.number(), z.boolean()]).nullable());

const shopTicketData = once(() =>
  z
    .looseObject({
      id,
      kind: z.string(),
      status: z.enum(['open', 'closed']),
      summary: z.string(),
      created_at: dateTime,
      account_id: id,
      detail: z.string(),
      ...each(nullableText, 'app_bundle_id', 'app_version', 'macos_version'),
    })
    .extend({ withdrawal: z.object({ order_id: id, order_number: z.string() }).optional() })
    .meta({ id: 'ShopTicketData' }),
);

const ticketResult = once(() => shopTicketData().extend({ result: z.string() }));

/** Anonymous counts, which show the people who answer tickets which versions to fix. */
export const listVersionsInUse = shop({
  id: 'listVersionsInUse',
  path: '/api/shop/versions',
  query: () => z.object({ product: queryText(200, 'Only versions of this product, by id or slug.') }),
  answer: () =>
    z.object({
      since: z.iso.date().describe('the first of the 30 days (UTC)'),
      products: z
        .array(
          z.object({
            product_id: id,
            slug: z.string(),
            devices: z.int(),
            versions: z
              .array(z.object({ version: nullableText.describe('null: the devices send none'), devices: z.int() }))
              .describe('up to 50, the most used first'),
            others: z.int().describe('devices with other versions'),
          }),
        )
        .describe('products without such a device are missing'),
    }),
  tool: { name: 'shop_list_versions_in_use', effect: 'reads' },
});

export const listReports = shop({
  id: 'listReports',
  path: '/api/shop/reports',
  query: () =>
    z.object({
      kind: queryOneOf(['error', 'support'], 'Errors of applications, or tickets of buyers.'),
      status: queryOneOf(['open', 'closed'], 'Only tickets of this status.'),
      app: queryText(255, 'Only reports of the application with this bundle id.'),
      since: queryInstant('Only reports from this moment on.'),
      sort: queryOneOf(TICKET_ORDERS, '`waiting`: only open tickets, first those whose buyers wait.'),
      ...queryStretch('moment'),
    }),
  answer: () =>
    list(
      z.object({
        kind: z.enum(['error', 'support']),
        id: z.string(),
        app_bundle_id: nullableText,
        type: z.string().describe('such as `crash`, `refund_request` or `withdrawal`'),
        title: z.string(),
        status: z.enum(['open', 'closed']).nullable(),
        number: z.string().optional().describe('the number by which the buyer knows the ticket'),
        account_id: id.optional(),
        account_email: nullableText.optional().describe('whom a ticket is from; null once the account is erased'),
        product_id: id.nullable().describe('the product that it is about, if known'),
        waits_since: moment.optional().describe('since when the buyer waits for an answer; null once it is answered'),
        versions: z.array(z.string()).optional().describe('the versions of the application with the error'),
        first_seen: dateTime,
        last_seen: dateTime,
        reports: z.int(),
      }),
    ),
  tool: { name: 'shop_list_reports', effect: 'reads' },
});

export const showReport = shop({
  id: 'showReport',
  path: '/api/shop/reports/{report}',
  params: () => z.object({ report: pathText('id or number of the ticket, or id of the errors') }),
  answer: () =>
    z.looseObject({
      kind: z.enum(['error', 'support']),
      number: z.string().optional().describe('the number by which the buyer knows the ticket'),
      ticket: shopTicketData().optional(),
      account_email: nullableText.optional(),
      product_id: id.nullable().optional().describe('the product that a ticket is about, if known'),
      files: z
        .array(
          z.looseObject({
            number: z.int(),
            name: z.string(),
            size: z.int(),
            answer: z.int().optional().describe('the number of the answer or reply that it came with'),
            download_url: z.url().nullable(),
          }),
        )
        .optional()
        .describe('the files of a ticket'),
      answers: z
        .array(
          z.looseObject({
            number: z.int(),
            answered_at: dateTime,
            text: z.string(),
            from: z.literal('buyer').optional().describe('present on a reply of the buyer'),
          }),
        )
        .optional()
        .describe('the answers of a ticket, and its buyer’s replies'),
      count: z.int(),
      group: z
        .looseObject({
          app_bundle_id: z.string(),
          title: z.string(),
          error_type: z.string(),
          first_seen: dateTime,
          last_seen: dateTime,
          versions: z.array(z.string()),
        })
        .optional()
        .describe('the errors that count as one'),
      reports: z
        .array(
          z.looseObject({
            id,
            received_at: dateTime,
            app_version: z.string(),
            ...each(nullableText, 'os_version', 'device_model', 'stack_trace'),
            error_message: z.string(),
          }),
        )
        .optional()
        .describe('the newest errors of an application'),
    }),
  tool: { name: 'shop_show_report', effect: 'reads' },
});

export const answerTicket = shop({
  id: 'answerTicket',
  method: 'POST',
  path: '/api/shop/tickets/{ticket}/answers',
  params,
  body: () =>
    component('ShopAnswerBody', {
      text: prose(MAX_ANSWER, 1),
      close: bodyFlag('also close the ticket'),
    }),
  files: { file: { maxBytes: MAX_ATTACHMENT, required: false } },
  answer: () =>
    z.object({
      ticket: shopTicketData(),
      answer: z.looseObject({ number: z.int(), text: z.string(), answered_at: dateTime }),
      file: z
        .looseObject({ number: z.int(), name: z.string() })
        .nullable()
        .optional()
        .describe('the file of the answer; null if the account’s files of the day are too many bytes'),
      account_email: nullableText,
    }),
  output: MADE,
  tool: { name: 'shop_answer_ticket', effect: 'adds' },
});

export const closeTicket = shop({
  id: 'closeTicket',
  method: 'POST',
  path: '/api/shop/tickets/{ticket}/closing',
  params,
  answer: ticketResult,
  tool: { name: 'shop_close_ticket', effect: 'replaces' },
});

export const reopenTicket = shop({
  id: 'reopenTicket',
  method: 'POST',
  path: '/api/shop/tickets/{ticket}/reopening',
  params,
  answer: ticketResult,
  tool: { name: 'shop_reopen_ticket', effect: 'replaces' },
});

export const listAudit = shop({
  id: 'listAudit',
  path: '/api/shop/audit',
  access: { credential: 'agent', role: 'everything' },
  query: () =>
    z.object({
      account_id: queryInteger('Only changes of this account’s records, and those made by it.'),
      product: queryText(200, 'Only changes about this product, by id or slug.'),
      action: queryText(100, 'Only this action, such as `order.refunded`, or the actions on one kind of record.'),
      by: queryText(
        200,
        'Only changes by a kind of actor, such as `key`, or by one, such as `key:42`.',
        z.string().refine((text) => actorsNamed(text) !== null, 'must be a kind of actor, or one with its id.'),
      ),
      subject: queryText(300, 'Only changes of the record with this id.'),
      since: queryInstant('Only changes from this moment on.'),
      until: queryInstant('Only changes up to this moment.'),
      ...queryStretch('moment'),
    }),
  answer: () =>
    list(
      z.looseObject({
        id,
        at: dateTime,
        by: z.looseObject({
          kind: z.enum(ACTOR_KINDS),
          ...each(nullableText, 'id', 'through', 'from'),
          name: z.string().optional(),
        }),
        action: z.string(),
        subject_id: nullableText,
        account_id: id.nullable(),
        product_id: id.nullable(),
        changes: z.array(z.object({ field: z.string(), from: scalar().optional(), to: scalar().optional() })),
      }),
    ),
  tool: { name: 'shop_list_changes', effect: 'reads', renames: { account_id: 'account' } },
});
