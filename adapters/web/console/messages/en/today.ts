export const today = {
  waiting: 'Waiting for you',
  nothing: 'Nothing waits for you.',
  tickets: 'Open tickets',
  events: 'Payment events that need a look',
  firstSale: 'Before the first sale',
  addProduct: 'Add a product with its price.',
  look: 'Give the shop its name and its look.',
  orders: 'Newest orders',
  noOrders: 'No orders yet',
  noOrdersText: 'An order appears here as soon as a customer has paid.',
  order: 'Order',
  total: 'Total',
  day: 'Day',
};

export type TodayWords = typeof today;
