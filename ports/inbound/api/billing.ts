import * as z from 'zod';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { endpoint } from '../endpoint.ts';
import { pathId, queryInteger, queryLimit, queryOneOf } from '../fields.ts';

export const listInvoices = endpoint({
  id: 'listInvoices',
  host: 'api',
  method: 'GET',
  path: '/api/invoices',
  access: { credential: 'key', ability: 'orders.read' },
  query: z.object({
    status: queryOneOf(INVOICE_STATUSES, 'Only invoices with this status.'),
    limit: queryLimit,
    after: queryInteger('The last id of the previous page: `next_after` of its answer.'),
  }),
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: 'worded',
  tool: { name: 'list_invoices', effect: 'reads' },
});

export const listOrders = endpoint({
  id: 'listOrders',
  host: 'api',
  method: 'GET',
  path: '/api/orders',
  access: { credential: 'key', ability: 'orders.read' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: 'worded',
  tool: { name: 'list_orders', effect: 'reads' },
});

export const getOrder = endpoint({
  id: 'getOrder',
  host: 'api',
  method: 'GET',
  path: '/api/orders/{order}',
  params: z.object({ order: pathId('id of the order') }),
  access: { credential: 'key', ability: 'orders.read' },
  output: { kind: 'json', status: 200 },
  refusals: ['order_not_found'],
  localized: 'worded',
  tool: { name: 'show_order', effect: 'reads' },
});

export const listPaymentMethods = endpoint({
  id: 'listPaymentMethods',
  host: 'api',
  method: 'GET',
  path: '/api/payment-methods',
  access: { credential: 'key', ability: 'orders.read' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: 'worded',
  tool: { name: 'list_payment_methods', effect: 'reads' },
});

export const listSubscriptions = endpoint({
  id: 'listSubscriptions',
  host: 'api',
  method: 'GET',
  path: '/api/subscriptions',
  access: { credential: 'key', ability: 'subscriptions.read' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: 'worded',
  tool: { name: 'list_subscriptions', effect: 'reads' },
});
