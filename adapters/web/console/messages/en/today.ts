export const today = {
  waiting: 'Waiting for you',
  nothing: 'Nothing waits for you.',
  withdrawals: 'Withdrawals to refund',
  tickets: 'Tickets that wait for an answer',
  failing: 'Subscriptions whose payment failed',
  wrong: 'Findings about the service',
  /** Names of the doctor's checks, where they differ from its own. */
  checks: {} as Readonly<Record<string, string>>,
  events: 'Payment events that need a look',
  firstSale: 'Before the first sale',
  addProduct: 'Add a product with its price.',
  look: 'Give the shop its name and its look.',
  periods: { day: 'Net today', week: 'Net, 7 days', month: 'Net, 30 days' },
  before: (money: string) => `${money} in the period before`,
  sold: 'Sales',
  orders: 'Newest orders',
  noOrders: 'No orders yet',
  noOrdersText: 'An order appears here as soon as a customer has paid.',
  order: 'Order',
  customer: 'Customer',
  state: 'State',
  total: 'Total',
  day: 'Day',
};

export type TodayWords = typeof today;
