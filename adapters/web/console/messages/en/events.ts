import type { EventFault, EventState } from '../../../../../domain/sales/payment-event.ts';

export const events = {
  filter: 'Events',
  look: 'To look at',
  all: 'All of 30 days',
  event: 'Event',
  kind: 'Kind',
  provider: 'Provider',
  state: 'State',
  why: 'Reason',
  received: 'Received',
  customer: 'Customer',
  every: 'All',
  show: 'Show',
  none: 'No event needs a look',
  noneText: 'If a payment can’t be recorded, it appears here with the reason and what to do.',
  noneAll: 'No events yet',
  noneAllText: 'A payment provider sends an event for every payment, refund and change. They appear here for 30 days.',
  states: { done: 'Recorded', ignored: 'Not a sale', waiting: 'Waits', refused: 'Refused' } satisfies Record<
    EventState,
    string
  >,
  partly: 'Recorded in part',
  queued: 'Being tried again',
  unknown: 'Other reason',
  faults: {
    product_not_found: 'Unknown price or product',
    currency_unknown: 'Unknown currency',
    email_invalid: 'No valid email address',
    amounts_contradict: 'Amounts that can’t be right',
    too_many_lines: 'Too many lines',
    reference_too_long: 'Reference too long',
    account_erased: 'Deleted account',
    not_understood: 'Not understood',
    name_unknown: 'Waits for another event',
    lines_missing: 'Waits for details',
    provider_silent: 'The provider doesn’t answer',
  } satisfies Record<EventFault, string>,
  remedies: {
    product_not_found:
      'Someone paid a price that no product of this shop has. Open the product, add this price of the provider, then try again. The customer gets the product then.',
    currency_unknown:
      'The payment names a currency that does not exist. Correct the price at the provider, then try again.',
    email_invalid:
      'The payment has no email address to which the purchase could be given. Find the customer at the provider, and record the order by hand.',
    amounts_contradict:
      'An amount or a quantity is not possible, such as one below zero. Compare the payment at the provider, and record the order by hand.',
    too_many_lines: 'The payment has more lines than one order takes. Split it into several at the provider.',
    reference_too_long: 'The provider’s number of this payment is too long to store. Record the order by hand.',
    account_erased: 'The customer had the account deleted, so nothing more is stored about it. There is nothing to do.',
    not_understood:
      'The event differs from what the provider documents. The text below names the part. Update this server, then try again.',
    name_unknown:
      'The event belongs to a customer or a payment of which the provider has not told yet. It is recorded by itself once that arrives. After an hour, check that the provider sends all kinds of events.',
    lines_missing: 'The provider is asked what was bought. The event is recorded by itself after the answer.',
    provider_silent: 'The provider was asked for details and did not give them. It is asked again by itself.',
  } satisfies Record<EventFault, string>,
  otherRemedy: 'The text below says what is wrong. Mend it, then try again.',
  fine: 'There is nothing to do.',
  facts: 'Facts',
  id: 'Number at the provider',
  answer: 'In detail',
  attempts: 'Asked',
  attemptsText: (count: number) => `${count} times`,
  next: 'Asked again',
  body: 'What the provider sent',
  again: 'Try again',
  againAll: 'Try all of these again',
  againHint: 'Nothing is recorded twice. The shop works through them, and this page shows which are left.',
  left: (count: string) => `${count} left to try again. Open this page again to see how it goes on.`,
  queuedAll: (count: number) => (count === 1 ? 'One event is tried again.' : `${count} events are tried again.`),
  nothingQueued: 'No refused event matches.',
  results: {
    done: 'The event is recorded.',
    ignored: 'The event is not about a sale, so nothing was recorded.',
    waiting: 'The event waits for what is still missing.',
    refused: 'The event was refused again.',
  } satisfies Record<EventState, string>,
};

export type EventsWords = typeof events;
