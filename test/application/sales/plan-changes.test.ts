import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Price } from '../../../domain/catalog/product.ts';
import { accessTo } from '../../../domain/licensing/access.ts';
import { aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import {
  paddleCustomer,
  paddleEvent,
  paddleSubscription,
  paddleTransaction,
  polarEvent,
  polarOrder,
  polarSubscription,
  SIGNERS,
} from '../../support/payment-bodies.ts';
import { memoryService } from '../../support/service.ts';

/* A license whose buyer changes the plan at the provider, from the signed bodies on. */

type Name = 'paddle' | 'polar';

const terms = { device_limit: null, access_days: null, updates_days: null, grace_days: 0, apps: null };
const priced = (provider: Name, id: string, more: Partial<Price> = {}): Price => ({ provider, id, ...terms, ...more });
const PRODUCT = aProduct({
  id: 4,
  slug: 'tool',
  device_limit: 3,
  editions: [
    { name: 'basic', features: ['save'] },
    { name: 'pro', features: ['export'] },
  ],
  prices: (['paddle', 'polar'] as const).flatMap((provider) => [
    priced(provider, 'basic', { edition: 'basic' }),
    priced(provider, 'pro', { edition: 'pro' }),
  ]),
});

const MONTH = { starts_at: '2026-11-21T08:00:00.000Z', ends_at: '2026-12-21T08:00:00.000Z' };
const day = (n: number) => `2026-11-${21 + n}T08:00:00.000Z`;
/** A day of the month that was paid, and one after it. */
const [WITHIN, LATER] = ['2026-12-01T00:00:00.000Z', '2026-12-22T00:00:00.000Z'];

/** The license and the orders after these events: `devices edition features`, and the end of the access. */
const after = async (name: Name, events: readonly object[]) => {
  const { secret, sign } = SIGNERS[name];
  const service = memoryService({}, undefined, { webhookSecrets: { [name]: [secret] } });
  await put(service, { products: [PRODUCT] });
  for (const event of events) {
    const text = JSON.stringify(event);
    const headers = sign(text, Date.now(), undefined, hash('sha256', text));
    const received = await service.get('receiveEvent')({ provider: name, raw: Buffer.from(text), headers });
    if (typeof received !== 'function') throw new Error(received.code);
    await received({ permit: grantPermit(), access: undefined });
  }
  const open = (await service.get('listEvents')({ only: 'open', limit: 100 })).map(({ reason }) => reason);
  const { id: account = 0 } = (await service.get('accounts').findByEmail('ada@example.com')) ?? {};
  const holdings = await service.get('licenses').held(account);
  const [now, later] = [WITHIN, LATER].map((at) => accessTo(PRODUCT, [], holdings, at));
  const orders = await service.get('storedOrders').ofAccount(account);
  return {
    open,
    license: now?.granted ? [now.device_limit, now.edition, ...(now.features ?? [])].join(' ') : 'none',
    ends: [now?.granted ? now.access_expires_at : null, later?.granted ?? false],
    totals: orders.map(({ total_cents }) => total_cents).sort((a, b) => a - b),
    subscription: holdings.subscriptions.map(({ id: _, account_id: __, billing, ...rest }) => ({
      ...rest,
      next: billing?.next_charge_at,
      amount: billing?.renewal_amount_cents,
    })),
  };
};

/** In every order, the same events leave the same. */
const inAnyOrder = async (name: Name, events: readonly object[]) => {
  const expected = await after(name, events);
  const shuffled = fc.shuffledSubarray([...events], { minLength: events.length });
  const holds = async (order: readonly object[]) => {
    expect(await after(name, order)).toEqual(expected);
  };
  await fc.assert(fc.asyncProperty(shuffled, holds), { numRuns: 12 });
  return expected;
};

const at = (n: number) => ({ occurred_at: day(n) });
const plan = (id: string, quantity: number, amount = '900') => ({
  items: [
    { status: 'active', quantity, trial_dates: null, price: { id, unit_price: { amount, currency_code: 'EUR' } } },
  ],
  current_billing_period: MONTH,
});
const money = (total: string, tax = '0') => ({ subtotal: total, discount: '0', tax, total });
/** A transaction of the subscription, with the price, quantity and total of each line. */
const transaction = (id: string, n: number, total: string, ...lines: (readonly [string, number, string])[]) =>
  paddleEvent(
    'transaction.completed',
    paddleTransaction({
      id,
      subscription_id: 'sub_01',
      origin: n === 0 ? 'web' : 'subscription_update',
      billing_period: { ...MONTH, starts_at: day(n) },
      details: {
        totals: money(total),
        line_items: lines.map(([price_id, quantity, part]) => ({ price_id, quantity, totals: money(part) })),
      },
    }),
    at(n),
  );
const changed = (type: string, n: number, more: object) =>
  paddleEvent(`subscription.${type}`, paddleSubscription(more), at(n));

// Since 2024-03-11 the lines of a prorated change may be negative
// (https://developer.paddle.com/changelog/2024/proration-improvements).
const PADDLE = [
  paddleEvent('customer.created', paddleCustomer()),
  transaction('txn_1', 0, '2700', ['basic', 3, '2700']),
  changed('created', 0, plan('basic', 3)),
  changed('updated', 2, plan('pro', 5, '1900')),
  transaction('txn_2', 2, '5000', ['pro', 5, '7500'], ['basic', -3, '-2500']),
  changed('updated', 4, plan('pro', 2, '1900')),
  transaction('txn_3', 4, '-3000', ['pro', -3, '-3000']),
];
const PAUSE = { action: 'pause', effective_at: MONTH.ends_at, resume_at: null };
const PAUSED = [
  changed('updated', 6, { ...plan('pro', 2), scheduled_change: PAUSE }),
  paddleEvent(
    'subscription.paused',
    paddleSubscription({ ...plan('pro', 2), status: 'paused', paused_at: MONTH.ends_at, current_billing_period: null }),
    { occurred_at: MONTH.ends_at },
  ),
];
const NEXT = { starts_at: '2026-12-28T08:00:00.000Z', ends_at: '2027-01-28T08:00:00.000Z' };
const RESUMED = paddleEvent(
  'subscription.resumed',
  paddleSubscription({ ...plan('basic', 4), current_billing_period: NEXT }),
  { occurred_at: NEXT.starts_at },
);

const items = (...amounts: number[]) => amounts.map((amount) => ({ label: 'Seats', amount, tax_amount: 0 }));
const polarAt = (type: string, n: number, data: object) => ({ ...polarEvent(type, data), timestamp: day(n) });
const seats = (product_id: string, seats: number, more: object = {}) =>
  polarSubscription({ product_id, seats, amount: seats * 900, current_period_end: MONTH.ends_at, ...more });
const bill = (id: string, total_amount: number, parts: object[]) =>
  polarOrder({
    ...{ id, subscription_id: 'subscription-uuid', billing_reason: 'subscription_update', product_id: 'pro' },
    ...{ total_amount, tax_amount: 0, discount_amount: 0, items: parts },
  });
// A change to less is a negative order (https://github.com/polarsource/polar/issues/9344).
const POLAR = [
  polarAt('order.paid', 0, { ...bill('order-1', 2700, items(2700)), billing_reason: 'subscription_create' }),
  polarAt('subscription.active', 0, seats('basic', 3)),
  polarAt('subscription.updated', 2, seats('pro', 5)),
  polarAt('order.paid', 2, bill('order-2', 5000, items(7500, -2500))),
  polarAt('subscription.updated', 4, seats('pro', 2)),
  polarAt('order.paid', 4, bill('order-3', -3000, items(-3000))),
];
/** A change to come, which changes nothing before (`pending_update` in Polar's OpenAPI document). */
const PENDING = { applies_at: MONTH.ends_at, product_id: 'basic', seats: 1 };
const CANCELED = { canceled_at: day(6), cancel_at_period_end: true, ends_at: MONTH.ends_at };

test.each([
  ['paddle', PADDLE.slice(1)],
  ['polar', POLAR],
] as const)('more and fewer units of a more expensive plan at %s count at once, and their payments and credits are orders', async (name, events) => {
  const known = name === 'paddle' ? PADDLE.slice(0, 1) : [];
  const seen = await Promise.all(events.map((_, n) => after(name, [...known, ...events.slice(0, n + 1)])));
  expect(new Set(seen.map(({ license }) => license))).toEqual(
    new Set(['none', '9 basic save', '15 pro export', '6 pro export']),
  );
  const last = await inAnyOrder(name, [...known, ...events]);
  expect(last).toMatchObject({ open: [], license: '6 pro export', totals: [0, 2700, 5000] });
  expect(last.ends).toEqual([MONTH.ends_at, false]);
});

test('a pause at Paddle ends the access with the month that was paid, and resuming gives the plan of then', async () => {
  const scheduled = await after('paddle', [...PADDLE, ...PAUSED.slice(0, 1)]);
  expect(scheduled).toMatchObject({ license: '6 pro export', ends: [MONTH.ends_at, false] });
  expect(await inAnyOrder('paddle', [...PADDLE, ...PAUSED])).toMatchObject({
    license: '6 pro export',
    ends: [MONTH.ends_at, false],
    subscription: [{ next: null }],
  });
  expect(await inAnyOrder('paddle', [...PADDLE, ...PAUSED, RESUMED])).toMatchObject({
    license: '12 basic save',
    ends: [NEXT.ends_at, true],
    subscription: [{ next: NEXT.ends_at, cancelled_at: null }],
  });
});

test('a change to come at Polar changes nothing before, and a cancellation is taken back by the next event', async () => {
  const pending = polarAt('subscription.updated', 5, seats('pro', 2, { pending_update: PENDING }));
  const canceled = polarAt('subscription.canceled', 6, seats('pro', 2, CANCELED));
  const uncanceled = polarAt('subscription.uncanceled', 7, seats('pro', 2));
  expect(await inAnyOrder('polar', [...POLAR, pending, canceled])).toMatchObject({
    license: '6 pro export',
    ends: [MONTH.ends_at, false],
    subscription: [{ cancelled_at: day(6), next: null }],
  });
  expect(await inAnyOrder('polar', [...POLAR, canceled, uncanceled])).toMatchObject({
    license: '6 pro export',
    subscription: [{ cancelled_at: null, next: MONTH.ends_at }],
  });
});
