export const search = {
  title: 'Search',
  lead: 'Customers by address, orders by number, products by name. Also ids of your payment provider, ticket numbers, and keys by their first characters.',
  nothing: 'Nothing found',
  nothingText: 'Check the spelling. Addresses, numbers and ids must be complete.',
  kinds: {
    account: 'Customers',
    order: 'Orders',
    subscription: 'Subscriptions',
    key: 'Keys',
    ticket: 'Tickets',
    event: 'Payment events',
    product: 'Products',
  },
};

export type SearchWords = typeof search;
