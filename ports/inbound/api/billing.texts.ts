export const apiBillingTexts = {
  listInvoices: {
    group: 'Orders',
    summary: 'List the invoices',
    description:
      'Invoices in descending order of id, page by page: ask again with `after` until `next_after` is null. An invoice that is issued between two calls moves no later page.',
    tool: {
      description:
        'Lists invoices, newest first, page by page: call it again with `after` set to `next_after` until that is null.',
    },
  },
  listOrders: {
    group: 'Orders',
    summary: 'List the orders',
    description:
      'Every order of the account, newest first, each item with its entitlements. Orders belong to the account: a key bound to one product reads all of them.',
    tool: { description: 'Lists every order of the account, newest first, with its items and what they entitle to.' },
  },
  getOrder: {
    group: 'Orders',
    summary: 'Get one order',
    description: 'Another account’s order answers 404 like one that doesn’t exist.',
    tool: { title: 'Show an order', description: 'Shows one order of the account, by an `id` from list_orders.' },
    pathExamples: { order: 1 },
  },
  listPaymentMethods: {
    group: 'Orders',
    summary: 'List the payment methods',
    description:
      'The default payment method comes first. Only the last four digits of a number are kept, so the answer has no more.',
    tool: { description: 'Lists the payment methods of the account; only the last four digits are known.' },
  },
  listSubscriptions: {
    group: 'Subscriptions',
    summary: 'List the subscriptions',
    description:
      'Every subscription of the account, newest first, with its next charge and the action that the buyer can take. Ended subscriptions stay in the list.',
    tool: {
      description:
        'Lists the subscriptions of the account with their next charge. `action` is what the buyer can do on the website; no tool changes a subscription.',
    },
  },
} as const;
