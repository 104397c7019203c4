import {
  AppsSubscriptionCheckData,
  InvoiceListData,
  OrderShowData,
  OrdersData,
  PaymentMethodListData,
  SubscriptionsData,
} from './answers/billing.ts';
import { examples } from './examples/examples.ts';

export const billingDocumentation = {
  listInvoices: {
    group: 'Orders',
    summary: 'List the invoices',
    description:
      'Invoices in descending order of id, page by page: ask again with `after` until `next_after` is null. An invoice that is issued between two calls moves no later page.',
    answer: { schema: InvoiceListData, example: examples.invoices },
  },
  listOrders: {
    group: 'Orders',
    summary: 'List the orders',
    description:
      'Every order of the account, newest first, each item with its entitlements. Orders belong to the account: a key bound to one product reads all of them.',
    answer: { schema: OrdersData, example: examples.orders },
  },
  getOrder: {
    group: 'Orders',
    summary: 'Get one order',
    description: 'Another account’s order answers 404 like one that doesn’t exist.',
    pathExamples: { order: 1 },
    answer: { schema: OrderShowData, example: examples.order },
  },
  listPaymentMethods: {
    group: 'Orders',
    summary: 'List the payment methods',
    description:
      'The default payment method comes first. Only the last four digits of a number are kept, so the answer has no more.',
    answer: { schema: PaymentMethodListData, example: examples.paymentMethods },
  },
  listSubscriptions: {
    group: 'Subscriptions',
    summary: 'List the subscriptions',
    description:
      'Every subscription of the account, newest first, with its next charge and the action that the buyer can take. Ended subscriptions stay in the list.',
    answer: { schema: SubscriptionsData, example: examples.subscriptions },
  },
  checkAppsSubscription: {
    group: 'License',
    summary: 'Check the apps subscription',
    description:
      'The apps and features that the account’s apps subscription allows. After a failed renewal, the subscription stays active during its grace period, with a warning. A license check of these apps passes for the same time. A subscription that begins later allows nothing yet, and `message` says when it begins.',
    answer: { schema: AppsSubscriptionCheckData, example: examples.appsSubscription },
  },
} as const;
