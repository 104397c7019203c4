import * as z from 'zod';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { endpointsOf } from '../endpoint.ts';
import { pathId, queryInteger, queryLimit, queryOneOf } from '../fields.ts';

const api = endpointsOf({ host: 'api' });

export const listInvoices = api({
  id: 'listInvoices',
  path: '/api/invoices',
  access: { credential: 'key', ability: 'orders.read' },
  query: z.object({
    status: queryOneOf(INVOICE_STATUSES, 'Only invoices with this status.'),
    limit: queryLimit,
    after: queryInteger('The last id of the previous page: `next_after` of its answer.'),
  }),
  localized: 'worded',
  tool: { name: 'list_invoices', effect: 'reads' },
});

export const listOrders = api({
  id: 'listOrders',
  path: '/api/orders',
  access: { credential: 'key', ability: 'orders.read' },
  localized: 'worded',
  tool: { name: 'list_orders', effect: 'reads' },
});

export const getOrder = api({
  id: 'getOrder',
  path: '/api/orders/{order}',
  params: z.object({ order: pathId('id of the order') }),
  access: { credential: 'key', ability: 'orders.read' },
  refusals: ['order_not_found'],
  localized: 'worded',
  tool: { name: 'show_order', effect: 'reads' },
});

export const listPaymentMethods = api({
  id: 'listPaymentMethods',
  path: '/api/payment-methods',
  access: { credential: 'key', ability: 'orders.read' },
  localized: 'worded',
  tool: { name: 'list_payment_methods', effect: 'reads' },
});

export const listSubscriptions = api({
  id: 'listSubscriptions',
  path: '/api/subscriptions',
  access: { credential: 'key', ability: 'subscriptions.read' },
  localized: 'worded',
  tool: { name: 'list_subscriptions', effect: 'reads' },
});
