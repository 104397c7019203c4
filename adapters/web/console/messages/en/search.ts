export const search = {
  title: 'Search',
  lead: 'Customers by address or its beginning, orders by number, products by name, devices by id. Also ids of your payment provider, ticket numbers, and keys by their first characters.',
  nothing: 'Nothing found',
  nothingText:
    'Check the spelling. Numbers and ids must be complete; of an address or a device’s id, the beginning is enough.',
  columns: ['Found', 'Kind'],
  kinds: {
    account: 'Customer',
    order: 'Order',
    subscription: 'Subscription',
    key: 'Key',
    device: 'Device',
    ticket: 'Ticket',
    event: 'Payment event',
    product: 'Product',
  },
};

export type SearchWords = typeof search;
