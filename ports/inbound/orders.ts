import * as z from 'zod';
import { INVOICE_STATUSES } from '../../domain/billing/invoice.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { InvoiceListData, OrderShowData, OrdersData, PaymentMethodListData } from './schemas/billing.ts';
import { queryInteger, queryLimit, queryOneOf } from './schemas/fields.ts';

const group = 'Orders';
const access = { credential: 'key', ability: 'orders.read' } as const;

export const listInvoices = endpoint({
  id: 'listInvoices',
  host: 'api',
  method: 'GET',
  path: '/api/invoices',
  group,
  access,
  query: z.object({
    status: queryOneOf(INVOICE_STATUSES, 'Only invoices of this status.'),
    limit: queryLimit,
    after: queryInteger('The last id of the page before: `next_after` of its answer.'),
  }),
  output: { kind: 'json', status: 200, schema: InvoiceListData, example: examples.invoices },
  refusals: [],
  localized: true,
  summary: 'List the invoices',
  description:
    'By falling id, page by page: ask again with `after` until `next_after` is null. Invoices issued meanwhile move none of the further pages.',
});

export const listOrders = endpoint({
  id: 'listOrders',
  host: 'api',
  method: 'GET',
  path: '/api/orders',
  group,
  access,
  output: { kind: 'json', status: 200, schema: OrdersData, example: examples.orders },
  refusals: [],
  localized: true,
  summary: 'List the orders',
  description:
    'Every order of the account, the newest first, each item with the entitlements that it brought. Orders belong to the account: a key bound to one product reads them all.',
});

export const getOrder = endpoint({
  id: 'getOrder',
  host: 'api',
  method: 'GET',
  path: '/api/orders/{order}',
  group,
  access,
  output: { kind: 'json', status: 200, schema: OrderShowData, example: examples.order },
  refusals: ['order_not_found'],
  localized: true,
  summary: 'Get one order',
  description: 'Another account’s order answers 404 like one that doesn’t exist.',
});

export const listPaymentMethods = endpoint({
  id: 'listPaymentMethods',
  host: 'api',
  method: 'GET',
  path: '/api/payment-methods',
  group,
  access,
  output: { kind: 'json', status: 200, schema: PaymentMethodListData, example: examples.paymentMethods },
  refusals: [],
  localized: true,
  summary: 'List the payment methods',
  description: 'The default one first. Of a number only the last four digits are kept, so no more can be shown.',
});
