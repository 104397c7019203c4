export const subscriptions = {
  lists: 'Lists',
  failing: 'Payment failed',
  failingText: 'The renewal was not paid. The customer can still pay, and keeps access for the days of grace.',
  renewing: 'Renewing soon',
  renewingText: 'Charged or extended within the next 31 days.',
  ending: 'Ending',
  endingText: 'Cancelled, and running out at the end of the paid time.',
  all: 'Show all',
  customer: 'Customer',
  products: 'Products',
  next: 'What happens next',
  erased: 'Erased account',
  noFailing: 'No payment is missing',
  noRenewing: 'Nothing renews in the next 31 days',
  noEnding: 'Nobody has cancelled',
  empty: 'A subscription appears here as soon as this happens.',
  charged: (day: string, amount: string | null): string =>
    amount === null ? `Charged on ${day}` : `${amount} on ${day}`,
  ends: (day: string): string => `Access ends on ${day}`,
  unlessPaid: (day: string): string => `Access ends on ${day} unless it is paid`,
  openEnd: 'Goes on without an end',
};

export type SubscriptionsWords = typeof subscriptions;
