import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { accessTo } from '../../../domain/licensing/access.ts';
import { addDays, type Instant, toInstant } from '../../../domain/shared/instant.ts';
import { payments, sales } from '../../../runtimes/composition/areas/sales.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import {
  paddleAdjustment,
  paddleCustomer,
  paddleEvent,
  paddleSubscription,
  paddleTransaction,
  polarEvent,
  polarOrder,
  polarSubscription,
  SIGNERS,
  stripeEvent,
  stripeInvoice,
  stripeRefund,
  stripeSession,
  stripeSubscription,
} from '../../support/payment-bodies.ts';

/* Sequences of events as a provider sends them. Whatever their order, and with equal moments too, they end in one state. */

const START: Instant = '2026-11-21T08:00:00.000Z';
const day = (n: number): Instant => addDays(START, n);
const seconds = (n: number): number => Date.parse(day(n)) / 1000;

const terms = { access_days: null, updates_days: null, device_limit: null, grace_days: 3, apps: null };
const PRODUCT = aProduct({
  id: 1,
  slug: 'hashcheck',
  device_limit: 3,
  prices: [
    { provider: 'stripe', id: 'price_monthly', ...terms },
    { provider: 'paddle', id: 'pri_monthly', ...terms },
    { provider: 'paddle', id: 'pri_1', ...terms },
    { provider: 'polar', id: 'product-uuid', ...terms },
  ],
});

type Provider = 'stripe' | 'paddle' | 'polar';
/** The day of an event, its type, and its object. */
type Told = readonly [day: number, type: string, object: object];

const EVENT: Readonly<Record<Provider, (told: Told) => object>> = {
  stripe: ([n, type, object]) => stripeEvent(type, object, { created: seconds(n) }),
  paddle: ([n, type, object]) => paddleEvent(type, object, { occurred_at: day(n) }),
  polar: ([n, type, object]) => ({ ...polarEvent(type, object), timestamp: day(n) }),
};

const period = (from: number, to: number) => ({ current_period_start: seconds(from), current_period_end: seconds(to) });
const price = { id: 'price_monthly', unit_amount: 1000 };
/** A subscription of Stripe that runs from one day to another. */
const subscribed = (from: number, to: number, change: object = {}, quantity = 1): object =>
  stripeSubscription({ items: { data: [{ id: 'si_1', price, quantity, ...period(from, to) }] }, ...change });

/** An invoice of Stripe that pays for the days between two. */
const invoiced = (id: string, from: number, to: number, amount = 1000, billing_reason = 'subscription_cycle'): object =>
  stripeInvoice({
    id,
    billing_reason,
    created: seconds(from),
    total: amount,
    total_taxes: [],
    payment_intent: `pi_${id}`,
    status_transitions: { paid_at: seconds(from) },
    lines: {
      has_more: false,
      data: [{ amount, quantity: 1, period: { start: seconds(from), end: seconds(to) }, price: 'price_monthly' }],
    },
  });

const begun: readonly Told[] = [
  [0, 'customer.subscription.created', subscribed(0, 30)],
  [0, 'invoice.paid', invoiced('in_1', 0, 30, 1000, 'subscription_create')],
];
const trial: readonly Told[] = [
  [0, 'customer.subscription.created', subscribed(0, 14, { status: 'trialing', trial_end: seconds(14) })],
  [0, 'invoice.paid', invoiced('in_0', 0, 14, 0, 'subscription_create')],
];
const paddleBegun: readonly Told[] = [
  [0, 'customer.created', paddleCustomer()],
  [0, 'subscription.created', paddleSubscription({ current_billing_period: { starts_at: day(0), ends_at: day(30) } })],
  [
    0,
    'transaction.completed',
    paddleTransaction({ subscription_id: 'sub_01', billing_period: { starts_at: day(0), ends_at: day(30) } }),
  ],
];
const paused = paddleSubscription({ status: 'paused', paused_at: day(10), current_billing_period: null });
const paddleSale: readonly Told[] = [
  [0, 'customer.created', paddleCustomer()],
  [0, 'transaction.completed', paddleTransaction()],
  [5, 'adjustment.created', paddleAdjustment({ id: 'adj_1', action: 'chargeback', type: 'full' })],
];
const polarPeriod = (from: number, to: number) => ({ current_period_start: day(from), current_period_end: day(to) });
const polarBegun: readonly Told[] = [
  [0, 'order.paid', polarOrder({ subscription_id: 'subscription-uuid', billing_reason: 'subscription_create' })],
  [0, 'subscription.active', polarSubscription(polarPeriod(0, 30))],
];

/** The statuses of the orders, the last day of access (null: none, or for ever), and the devices on the day before it. */
type State = { readonly orders: readonly string[]; readonly until: Instant | null; readonly devices: number | null };

/** Each sequence with its final state; `devices` null is no access on the first day. */
const BOOK: Readonly<Record<string, readonly [Provider, readonly Told[], State]>> = {
  'a bank transfer that arrives later': [
    'stripe',
    [
      [0, 'checkout.session.completed', stripeSession({ payment_status: 'unpaid' })],
      [0, 'checkout.session.async_payment_succeeded', stripeSession()],
    ],
    { orders: ['paid'], until: null, devices: 3 },
  ],
  'a renewal that is paid': [
    'stripe',
    [
      ...begun,
      [30, 'customer.subscription.updated', subscribed(30, 60)],
      [30, 'invoice.paid', invoiced('in_2', 30, 60)],
    ],
    { orders: ['paid', 'paid'], until: day(63), devices: 3 },
  ],
  'a renewal that fails is due from its start, with grace': [
    'stripe',
    [...begun, [30, 'customer.subscription.updated', subscribed(30, 60, { status: 'past_due' })]],
    { orders: ['paid'], until: day(33), devices: 3 },
  ],
  'a yearly renewal that is given up ends with what was paid': [
    'stripe',
    [
      ...begun,
      [30, 'customer.subscription.updated', subscribed(30, 395, { status: 'past_due' })],
      [40, 'customer.subscription.updated', subscribed(30, 395, { status: 'unpaid' })],
    ],
    { orders: ['paid'], until: day(30), devices: 3 },
  ],
  'a renewal that is paid after a failure': [
    'stripe',
    [
      ...begun,
      [30, 'customer.subscription.updated', subscribed(30, 60, { status: 'past_due' })],
      [32, 'customer.subscription.updated', subscribed(30, 60)],
      [32, 'invoice.paid', invoiced('in_2', 30, 60)],
    ],
    { orders: ['paid', 'paid'], until: day(63), devices: 3 },
  ],
  'an upgrade in a paid period whose invoice fails takes nothing that was paid': [
    'stripe',
    [...begun, [10, 'customer.subscription.updated', subscribed(0, 30, { status: 'past_due' })]],
    { orders: ['paid'], until: day(33), devices: 3 },
  ],
  'a subscription that ends for its debts': [
    'stripe',
    [
      ...begun,
      [30, 'customer.subscription.updated', subscribed(30, 60, { status: 'past_due' })],
      [
        44,
        'customer.subscription.deleted',
        subscribed(30, 60, {
          status: 'canceled',
          canceled_at: seconds(44),
          ended_at: seconds(44),
          cancellation_details: { reason: 'payment_failed' },
        }),
      ],
    ],
    { orders: ['paid'], until: day(30), devices: 3 },
  ],
  'a trial whose first charge fails ends with the trial, with grace': [
    'stripe',
    [
      ...trial,
      [14, 'customer.subscription.updated', subscribed(14, 44, { status: 'past_due', trial_end: seconds(14) })],
    ],
    { orders: ['paid'], until: day(17), devices: 3 },
  ],
  'the refund of the first real payment after a trial ends access': [
    'stripe',
    [
      ...trial,
      [14, 'customer.subscription.updated', subscribed(14, 44, { trial_end: seconds(14) })],
      [14, 'invoice.paid', invoiced('in_1', 14, 44)],
      [15, 'refund.created', stripeRefund({ payment_intent: 'pi_in_1', amount: 1000, created: seconds(15) })],
    ],
    { orders: ['paid', 'refunded'], until: day(15), devices: 3 },
  ],
  'five seats': [
    'stripe',
    [[0, 'customer.subscription.created', subscribed(0, 30, {}, 5)], ...begun.slice(1)],
    { orders: ['paid'], until: day(33), devices: 15 },
  ],
  'a refund that failed leaves the order paid': [
    'stripe',
    [
      [0, 'checkout.session.completed', stripeSession()],
      [1, 'refund.created', stripeRefund()],
      [3, 'refund.failed', stripeRefund({ status: 'failed' })],
    ],
    { orders: ['paid'], until: null, devices: 3 },
  ],
  'a dispute that was won': [
    'stripe',
    [
      [0, 'checkout.session.completed', stripeSession()],
      [1, 'charge.dispute.created', stripeRefund({ id: 'dp_1', status: 'needs_response' })],
      [60, 'charge.dispute.closed', stripeRefund({ id: 'dp_1', status: 'won' })],
    ],
    { orders: ['paid'], until: null, devices: 3 },
  ],
  'a dispute that was lost': [
    'stripe',
    [
      [0, 'checkout.session.completed', stripeSession()],
      [1, 'charge.dispute.created', stripeRefund({ id: 'dp_1', status: 'needs_response' })],
      [60, 'charge.dispute.closed', stripeRefund({ id: 'dp_1', status: 'lost' })],
    ],
    { orders: ['disputed'], until: null, devices: null },
  ],
  'three seats of Paddle': ['paddle', paddleBegun, { orders: ['paid'], until: day(33), devices: 9 }],
  'a pause at once of Paddle runs to the end of what was paid': [
    'paddle',
    [...paddleBegun, [10, 'subscription.paused', paused]],
    { orders: ['paid'], until: day(30), devices: 9 },
  ],
  'a chargeback of Paddle that is reversed': [
    'paddle',
    [
      ...paddleSale,
      [
        9,
        'adjustment.created',
        paddleAdjustment({
          id: 'adj_2',
          action: 'chargeback_reverse',
          totals: { subtotal: '10000', tax: '1900', total: '11900', currency_code: 'EUR' },
        }),
      ],
    ],
    { orders: ['paid'], until: null, devices: 6 },
  ],
  'a chargeback of Paddle': ['paddle', paddleSale, { orders: ['disputed'], until: null, devices: null }],
  'five seats of Polar': [
    'polar',
    [polarBegun[0] as Told, [0, 'subscription.active', polarSubscription({ ...polarPeriod(0, 30), seats: 5 })]],
    { orders: ['paid'], until: day(33), devices: 15 },
  ],
  'a renewal of Polar that is never paid ends with what was paid': [
    'polar',
    [
      ...polarBegun,
      [30, 'subscription.past_due', polarSubscription({ ...polarPeriod(30, 60), status: 'past_due' })],
      [
        44,
        'subscription.revoked',
        polarSubscription({ ...polarPeriod(30, 60), status: 'unpaid', ended_at: day(44), ends_at: day(44) }),
      ],
    ],
    { orders: ['paid'], until: day(30), devices: 3 },
  ],
};

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, n) => permutations(all.toSpliced(n, 1)).map((rest) => [one, ...rest]));

/** Records the events in this order, and gives what the buyer has. */
const endOf = async (provider: Provider, told: readonly Told[]): Promise<State> => {
  const shop = await aStore([sales, payments], { products: [PRODUCT] });
  const adapter = SIGNERS[provider].open([]);
  for (const [n, one] of told.entries()) {
    const body = JSON.stringify(EVENT[provider](one));
    const event = { provider, id: `evt_${n}`, type: one[1], received_at: day(one[0]), body };
    const fresh = { ...event, state: 'waiting' as const, reason: null, account_id: null };
    await shop.get('settleEvent')(grantPermit(), adapter, fresh);
  }
  const listed = await Array.fromAsync(shop.get('paymentEvents').list());
  expect(listed.filter(({ state }) => state === 'refused' || state === 'waiting')).toEqual([]);
  const account = await shop.get('accounts').findByEmail('ada@example.com');
  const [orders, held] = await Promise.all([
    shop.get('storedOrders').ofAccount(account?.id ?? 0),
    shop.get('storedLicenses').held(account?.id ?? 0),
  ]);
  const access = accessTo(PRODUCT, [], held, toInstant(Date.parse(day(0)) + 3_600_000));
  return {
    orders: orders.map(({ status }) => status).toSorted(),
    until: access.granted ? access.access_expires_at : null,
    devices: access.granted ? access.device_limit : null,
  };
};

describe('a book of sequences', () => {
  test.each(Object.entries(BOOK))('%s: every order of its events ends in one state', async (_, [
    provider,
    told,
    end,
  ]) => {
    for (const order of permutations(told)) {
      expect(await endOf(provider, order), order.map(([n, type]) => `${type} on day ${n}`).join(', ')).toEqual(end);
    }
  });

  test.each(Object.entries(BOOK))('%s: with equal moments too', async (_, [provider, told, { orders }]) => {
    const atOnce = told.map(([, ...one]): Told => [50, ...one]);
    const end = await endOf(provider, atOnce);
    expect(end.orders).toEqual(orders);
    for (const order of permutations(atOnce)) expect(await endOf(provider, order)).toEqual(end);
  });
});
