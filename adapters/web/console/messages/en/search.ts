export const search = {
  title: 'Search',
  lead: 'Customers by address, orders by number, products by name. Also ids of your payment provider, ticket numbers, and keys by their first characters.',
  nothing: 'Nothing found',
  nothingText: 'Check the spelling. Addresses, numbers and ids must be complete.',
  columns: ['Found', 'Kind'],
  kinds: {
    account: 'Customer',
    order: 'Order',
    subscription: 'Subscription',
    key: 'Key',
    ticket: 'Ticket',
    event: 'Payment event',
    product: 'Product',
  },
};

export type SearchWords = typeof search;
