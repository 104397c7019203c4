import { describe, expect, test } from 'vitest';
import { oneRate } from '../../../adapters/payments/bodies.ts';
import type { Meaning } from '../../../domain/sales/payment-event.ts';
import {
  paddleAdjustment,
  paddleCustomer,
  paddleEvent,
  paddleSubscription,
  paddleTransaction,
  polarEvent,
  polarOrder,
  polarRefund,
  polarSubscription,
  SIGNERS,
  shopEvent,
  shopOrder,
  stripeEvent,
  stripeInvoice,
  stripeRefund,
  stripeSession,
  stripeSubscription,
} from '../../support/payment-bodies.ts';

const AT = '2026-11-21T08:00:00.000Z';
const ADA = { email: 'ada@example.com', name: 'Ada', locale: 'ko' };

/** The meanings from earlier events. */
const KNOWN: Readonly<Record<string, Meaning>> = {
  cus_1: { buyer: ADA },
  ctm_1: { buyer: ADA },
  pi_1: { order_reference: 'in_1' },
};

const tell = (name: keyof typeof SIGNERS, event: object, known = KNOWN) =>
  SIGNERS[name].open([]).tell(JSON.stringify(event), async (id) => known[id]);

/** The facts of an event with one sale, and the names that it defines. */
const factsOf = async (name: keyof typeof SIGNERS, event: object) => {
  const told = await tell(name, event);
  if (!told.ok) throw new Error(told.message ?? told.code);
  expect(told.value.events).toHaveLength(1);
  const [sale] = told.value.events;
  expect([sale?.provider, sale?.happened_at.slice(0, 19)]).toEqual([name, AT.slice(0, 19)]);
  return { facts: sale?.facts, names: told.value.names };
};

const ITEM = { id: 'si_1', price: { id: 'price_monthly', unit_amount: 1000 } };

const NOTHING = { ok: true, value: { events: [], names: {} } };

describe('events of Stripe', () => {
  test('a session without an invoice sells the products of its metadata, under its payment intent', async () => {
    const { facts, names } = await factsOf('stripe', stripeEvent('checkout.session.completed', stripeSession()));
    expect(facts).toEqual({
      kind: 'order',
      reference: 'pi_1',
      buyer: ADA,
      status: 'paid',
      ordered_at: '2026-11-21T07:59:00.000Z',
      paid_at: AT,
      currency: 'USD',
      payment_method: 'card',
      total_cents: 4900,
      vat_cents: 450,
      receipt_url: null,
      billing: { name: 'Ada', address: null, tax_number: null },
      subscription: null,
      lines: [{ product: 'hashcheck', quantity: 1, total_cents: 4900, discount_cents: 100 }],
    });
    expect(names).toEqual({ cus_1: { buyer: ADA }, pi_1: { order_reference: 'pi_1' } });
  });

  test('a session with a price and a quantity that is paid later is pending until then', async () => {
    const session = stripeSession({ metadata: { price: 'price_1', quantity: '3' }, payment_status: 'unpaid' });
    const pending = await factsOf('stripe', stripeEvent('checkout.session.completed', session));
    expect(pending.facts).toMatchObject({
      status: 'pending',
      paid_at: null,
      lines: [{ price: 'price_1', quantity: 3 }],
    });
    const failed = await factsOf('stripe', stripeEvent('checkout.session.async_payment_failed', session));
    expect(failed.facts).toMatchObject({ reference: 'pi_1', status: 'cancelled' });
  });

  test('a session without an email address gives an order without one, which recording refuses', async () => {
    const session = stripeSession({ customer_details: { email: null, name: null } });
    const { facts, names } = await factsOf('stripe', stripeEvent('checkout.session.completed', session));
    expect(facts).toMatchObject({ buyer: { email: '', name: null } });
    expect(names).toEqual({ pi_1: { order_reference: 'pi_1' } });
  });

  test('a session with an invoice or a subscription gives only its customer, because the invoice has the sale', async () => {
    for (const other of [{ invoice: 'in_1' }, { mode: 'subscription', payment_intent: null, metadata: {} }]) {
      const told = await tell('stripe', stripeEvent('checkout.session.completed', stripeSession(other)));
      expect(told).toEqual({ ok: true, value: { events: [], names: { cus_1: { buyer: ADA } } } });
    }
  });

  test('a session without products is refused, and the message says what to set', async () => {
    const told = await tell('stripe', stripeEvent('checkout.session.completed', stripeSession({ metadata: {} })));
    expect(told).toMatchObject({
      ok: false,
      code: 'not_understood',
      message: expect.stringContaining('metadata.product'),
    });
  });

  test('an invoice is an order of its lines, with discounts and the tax on top', async () => {
    const { facts, names } = await factsOf('stripe', stripeEvent('invoice.paid', stripeInvoice()));
    expect(facts).toMatchObject({
      kind: 'order',
      reference: 'in_1',
      buyer: { email: 'ada@example.com', name: 'Ada', locale: null },
      status: 'paid',
      paid_at: '2026-11-21T07:59:59.000Z',
      total_cents: 880,
      vat_cents: 80,
      receipt_url: 'https://invoice.stripe.com/i/acct_1/test_1',
      subscription: { reference: 'sub_1', begins: true },
      lines: [{ price: 'price_monthly', quantity: 1, total_cents: 880, discount_cents: 200 }],
    });
    expect(names).toEqual({ cus_1: { buyer: { email: 'ada@example.com', name: 'Ada', locale: null } } });
  });

  test('an invoice of a version before 2025-03-31 is read from its older fields', async () => {
    const invoice = stripeInvoice({
      parent: undefined,
      total_taxes: undefined,
      subscription: 'sub_1',
      tax: 80,
      payment_intent: 'pi_2',
      billing_reason: 'subscription_cycle',
      lines: {
        data: [
          { amount: -300, quantity: 1, discount_amounts: [], price: { id: 'price_old' } },
          { amount: 800, quantity: 1, price: { id: 'price_1' }, tax_amounts: [{ amount: 80, inclusive: false }] },
        ],
        has_more: false,
      },
    });
    const { facts, names } = await factsOf('stripe', stripeEvent('invoice.paid', invoice));
    expect(facts).toMatchObject({
      vat_cents: 80,
      subscription: { reference: 'sub_1', begins: false },
      lines: [
        { price: 'price_old', total_cents: -300 },
        { price: 'price_1', total_cents: 880 },
      ],
    });
    expect(names).toMatchObject({ pi_2: { order_reference: 'in_1' } });
  });

  test('an invoice with more lines than its event holds is refused', async () => {
    const told = await tell(
      'stripe',
      stripeEvent('invoice.paid', stripeInvoice({ lines: { data: [], has_more: true } })),
    );
    expect(told).toMatchObject({ ok: false, code: 'not_understood' });
  });

  test('the payment of an invoice and a customer link their ids', async () => {
    const payment = { invoice: 'in_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' } };
    expect(await tell('stripe', stripeEvent('invoice_payment.paid', payment))).toMatchObject({
      value: { events: [], names: { pi_1: { order_reference: 'in_1' } } },
    });
    const customer = { id: 'cus_2', email: 'ada@example.com', name: 'Ada', preferred_locales: ['ko', 'en'] };
    expect(await tell('stripe', stripeEvent('customer.created', customer))).toMatchObject({
      value: { names: { cus_2: { buyer: ADA } } },
    });
  });

  test.each([
    [{}, { status: 'active', ends_at: '2026-12-21T08:00:00.000Z', next_charge_at: '2026-12-21T08:00:00.000Z' }],
    [
      { cancel_at_period_end: true, canceled_at: 1_795_250_000 },
      {
        status: 'cancelled',
        ends_at: '2026-12-21T08:00:00.000Z',
        cancelled_at: '2026-11-21T08:33:20.000Z',
        next_charge_at: null,
      },
    ],
    [
      { status: 'canceled', ended_at: 1_795_250_000, canceled_at: 1_795_250_000 },
      { status: 'expired', ends_at: '2026-11-21T08:33:20.000Z', next_charge_at: null },
    ],
    [
      { status: 'trialing', trial_end: 1_795_250_000 },
      { status: 'trialing', trial_ends_at: '2026-11-21T08:33:20.000Z' },
    ],
    [{ status: 'past_due' }, { status: 'past_due', due_since: AT, ends_at: '2026-12-21T08:00:00.000Z' }],
    [{ status: 'unpaid' }, { status: 'unpaid', due_since: AT, next_charge_at: null }],
    [
      { status: 'paused', trial_end: 1_795_250_000 },
      { status: 'paused', ends_at: '2026-11-21T08:33:20.000Z' },
    ],
    [
      { status: 'canceled', ended_at: 1_795_250_000, cancellation_details: { reason: 'payment_failed' } },
      { status: 'expired', due_since: AT },
    ],
    [
      { items: { data: [{ ...ITEM, quantity: 5 }] } },
      { things: [{ price: 'price_monthly', quantity: 5 }], renewal_amount_cents: 5000 },
    ],
  ])('a subscription with %j has this state', async (change, expected) => {
    const event = stripeEvent('customer.subscription.updated', stripeSubscription(change));
    expect((await factsOf('stripe', event)).facts).toMatchObject({
      kind: 'subscription',
      reference: 'sub_1',
      buyer: ADA,
      starts_at: AT,
      renewal_amount_cents: 1000,
      renewal_currency: 'USD',
      things: [{ price: 'price_monthly' }],
      ...expected,
    });
  });

  test('a subscription with an open first payment records nothing, and one of an unknown customer waits', async () => {
    const incomplete = stripeEvent('customer.subscription.created', stripeSubscription({ status: 'incomplete' }));
    expect(await tell('stripe', incomplete)).toEqual(NOTHING);
    const unknown = stripeEvent('customer.subscription.created', stripeSubscription({ customer: 'cus_9' }));
    expect(await tell('stripe', unknown)).toEqual({ ok: false, code: 'name_unknown', data: { name: 'cus_9' } });
  });

  test('a refund and a dispute belong to the order of their payment, once known', async () => {
    const refund = { kind: 'refund', reference: 're_1', order_reference: 'in_1', amount_cents: 4900, cause: 'refund' };
    const created = await factsOf('stripe', stripeEvent('refund.created', stripeRefund()));
    expect(created.facts).toMatchObject({ ...refund, refunded_at: '2026-11-21T08:01:00.000Z', things: null });
    const failed = await factsOf('stripe', stripeEvent('refund.failed', stripeRefund({ status: 'failed' })));
    expect(failed.facts).toMatchObject({ ...refund, amount_cents: 0 });
    const dispute = stripeRefund({ id: 'dp_1', status: 'needs_response' });
    const opened = await factsOf('stripe', stripeEvent('charge.dispute.created', dispute));
    expect(opened.facts).toMatchObject({ ...refund, reference: 'dp_1', cause: 'chargeback' });
    const won = await factsOf('stripe', stripeEvent('charge.dispute.closed', { ...dispute, status: 'won' }));
    expect(won.facts).toMatchObject({ reference: 'dp_1', amount_cents: 0, cause: 'refund' });
    const early = await tell('stripe', stripeEvent('refund.created', stripeRefund({ payment_intent: 'pi_9' })));
    expect(early).toMatchObject({ ok: false, code: 'name_unknown', data: { name: 'pi_9' } });
  });

  test('a pending refund, one without a payment intent and an inquiry record nothing', async () => {
    for (const [type, change] of [
      ['refund.created', { status: 'pending' }],
      ['refund.created', { payment_intent: null }],
      ['charge.dispute.created', { status: 'warning_needs_response' }],
    ] as const) {
      expect(await tell('stripe', stripeEvent(type, stripeRefund(change)))).toEqual(NOTHING);
    }
  });
});

describe('events of Paddle', () => {
  test('a completed transaction is an order of its customer, known from another event', async () => {
    const event = paddleEvent('transaction.completed', paddleTransaction());
    expect((await factsOf('paddle', event)).facts).toEqual({
      kind: 'order',
      reference: 'txn_1',
      buyer: ADA,
      status: 'paid',
      ordered_at: AT,
      paid_at: '2026-11-21T08:00:01.500Z',
      currency: 'EUR',
      payment_method: 'card',
      total_cents: 11_900,
      vat_cents: 1900,
      receipt_url: null,
      billing: { name: 'Ada', address: null, tax_number: null },
      invoice: { number: '325-10566', url: null },
      subscription: null,
      lines: [{ price: 'pri_1', quantity: 2, total_cents: 11_900, discount_cents: 0 }],
    });
    expect(await tell('paddle', event, {})).toMatchObject({ code: 'name_unknown', data: { name: 'ctm_1' } });
    expect(await tell('paddle', paddleEvent('customer.created', paddleCustomer()))).toMatchObject({
      value: { events: [], names: { ctm_1: { buyer: { ...ADA, locale: 'en' } } } },
    });
  });

  test('a transaction of a subscription begins it, unless it is a renewal', async () => {
    for (const [origin, begins] of [
      ['web', true],
      ['subscription_recurring', false],
    ] as const) {
      const event = paddleEvent('transaction.completed', paddleTransaction({ subscription_id: 'sub_01', origin }));
      expect((await factsOf('paddle', event)).facts).toMatchObject({ subscription: { reference: 'sub_01', begins } });
    }
  });

  const end = '2026-12-21T08:00:00.000Z';
  test.each([
    [{}, { status: 'active', ends_at: end, next_charge_at: end, cancelled_at: null }],
    [
      { scheduled_change: { action: 'cancel', effective_at: end, resume_at: null } },
      { status: 'cancelled', ends_at: end, next_charge_at: null, cancelled_at: '2026-11-21T08:00:00.155Z' },
    ],
    [
      { status: 'canceled', canceled_at: AT },
      { status: 'expired', ends_at: AT, cancelled_at: AT },
    ],
    [
      { status: 'paused', paused_at: AT },
      { status: 'paused', ends_at: AT, things: [{ price: 'pri_monthly', quantity: 3 }] },
    ],
  ])('a subscription with %j has this state', async (change, expected) => {
    const event = paddleEvent('subscription.updated', paddleSubscription(change));
    expect((await factsOf('paddle', event)).facts).toMatchObject({
      kind: 'subscription',
      reference: 'sub_01',
      starts_at: AT,
      renewal_amount_cents: 2700,
      renewal_currency: 'EUR',
      things: [{ price: 'pri_monthly' }],
      ...expected,
    });
  });

  test('an approved refund or chargeback returns money, and a reversed one revokes nothing', async () => {
    for (const [change, expected] of [
      [{}, { amount_cents: 1190, cause: 'refund' }],
      [{ type: 'full' }, { amount_cents: null, cause: 'refund' }],
      [
        { action: 'chargeback', type: 'full' },
        { amount_cents: 1190, cause: 'chargeback' },
      ],
      [
        { action: 'chargeback', status: 'reversed' },
        { amount_cents: 0, cause: 'refund' },
      ],
    ] as const) {
      const event = paddleEvent('adjustment.updated', paddleAdjustment(change));
      const refund = { kind: 'refund', reference: 'adj_1', order_reference: 'txn_1', refunded_at: AT, things: null };
      expect((await factsOf('paddle', event)).facts).toEqual({ ...refund, ...expected });
    }
    for (const change of [{ action: 'credit' }, { status: 'pending_approval' }, { status: 'rejected' }]) {
      expect(await tell('paddle', paddleEvent('adjustment.created', paddleAdjustment(change)))).toEqual(NOTHING);
    }
  });
});

describe('events of a shop’s own system', () => {
  test('an order needs few fields, and the others have defaults', async () => {
    expect((await factsOf('shop', shopEvent('order', shopOrder()))).facts).toEqual({
      kind: 'order',
      reference: 'order-1',
      buyer: { email: 'ada@example.com', name: null, locale: null },
      status: 'paid',
      ordered_at: AT,
      paid_at: AT,
      currency: 'KRW',
      payment_method: 'other',
      total_cents: 19_000,
      vat_cents: null,
      receipt_url: null,
      subscription: null,
      lines: [{ product: 'hashcheck', quantity: 1, total_cents: 19_000, discount_cents: 0 }],
    });
  });

  test('a subscription and a refund are recorded as given', async () => {
    const subscription = {
      reference: 'sub-1',
      buyer: { email: 'ada@example.com', locale: 'ko' },
      status: 'active',
      starts_at: '2026-11-21T17:00:00+09:00',
      things: [{ price: 'monthly' }],
    };
    expect((await factsOf('shop', shopEvent('subscription', subscription))).facts).toMatchObject({
      kind: 'subscription',
      starts_at: AT,
      ends_at: null,
      things: [{ price: 'monthly' }],
    });
    const end = '2026-12-21T08:00:00.000Z';
    const unpaid = { ...subscription, status: 'unpaid', ends_at: end, due_since: '2026-11-21T17:00:00+09:00' };
    const { facts } = await factsOf('shop', shopEvent('subscription', unpaid));
    expect(facts).toMatchObject({ status: 'unpaid', ends_at: end, due_since: AT });
    const period = { starts_at: AT, ends_at: end };
    const payment = shopOrder({ subscription: { reference: 'sub-1', begins: false, period } });
    expect((await factsOf('shop', shopEvent('order', payment))).facts).toMatchObject({ subscription: { period } });
    const refund = { reference: 'refund-1', order_reference: 'order-1', refunded_at: AT };
    expect((await factsOf('shop', shopEvent('refund', refund))).facts).toEqual({
      kind: 'refund',
      ...refund,
      amount_cents: null,
      things: null,
      cause: 'refund',
    });
  });

  test('a line may name the product and its price, and a refusal says what a line lacks', async () => {
    const both = { product: 'tool', price: 'p-pro', total_cents: 1 };
    expect((await factsOf('shop', shopEvent('order', shopOrder({ lines: [both] })))).facts).toMatchObject({
      lines: [both],
    });
    const told = await tell('shop', shopEvent('order', shopOrder({ lines: [{ total_cents: 1 }] })));
    const message =
      "The event's lines.0 is not as documented: must name a price, a product or both, or else have a text.";
    expect(told).toMatchObject({ code: 'not_understood', message });
  });

  test.each([
    ['an unknown field', { price: 5 }],
    ['a line of nothing', { lines: [{ total_cents: 1 }] }],
    ['no lines', { lines: [] }],
    ['101 lines', { lines: Array.from({ length: 101 }, () => ({ product: 'a', total_cents: 1 })) }],
    ['a fraction of a cent', { total_cents: 1.5 }],
    ['a negative amount', { total_cents: -1 }],
    ['a day without a time', { ordered_at: '2026-11-21' }],
    ['a moment after the year 9999', { ordered_at: '9999-12-31T23:59:59-12:00' }],
    ['a moment before the year 0', { ordered_at: '0000-01-01T00:00:00+12:00' }],
    ['a link that is no https URL', { receipt_url: 'javascript:alert(1)' }],
    ['a reference of 201 characters', { reference: 'x'.repeat(201) }],
    ['no buyer', { buyer: undefined }],
  ])('an order with %s is refused', async (_, change) => {
    const told = await tell('shop', shopEvent('order', shopOrder(change)));
    expect(told).toMatchObject({ ok: false, code: 'not_understood' });
  });
});

describe('the billing party of a sale', () => {
  const place = { line1: 'Rue 1', line2: null, postal_code: '75001', city: 'Paris', state: null, country: 'FR' };
  const lines = 'Rue 1\n75001 Paris\nFR';
  const taxed = { line_items: [], tax_rates_used: [{ tax_rate: '0.07' }], totals: { total: '107', tax: '7' } };

  test.each([
    [
      'stripe',
      stripeEvent(
        'invoice.paid',
        stripeInvoice({
          number: 'ABC-0001',
          invoice_pdf: 'https://pay.stripe.com/invoice/1/pdf',
          customer_address: place,
          customer_tax_ids: [{ type: 'eu_vat', value: 'FR61954506077' }],
          default_tax_rates: [{ percentage: 20 }],
        }),
      ),
      {
        billing: { name: 'Ada', address: lines, tax_number: 'FR61954506077' },
        invoice: { number: 'ABC-0001', url: 'https://pay.stripe.com/invoice/1/pdf' },
        vat_rate: '20',
      },
    ],
    // The taxes of a line are one combined rate, as in India.
    [
      'stripe',
      stripeEvent('invoice.paid', stripeInvoice({ default_tax_rates: [{ percentage: 9 }, { percentage: 9 }] })),
      { vat_rate: '18' },
    ],
    [
      'stripe',
      stripeEvent(
        'checkout.session.completed',
        stripeSession({
          customer_details: {
            email: 'ada@example.com',
            business_name: 'Ada SARL',
            address: place,
            tax_ids: [{ value: 'FR1' }, { value: null }],
          },
        }),
      ),
      { billing: { name: 'Ada SARL', address: lines, tax_number: 'FR1' } },
    ],
    [
      'polar',
      polarEvent(
        'order.paid',
        polarOrder({
          billing_name: 'Ada SARL',
          billing_address: place,
          invoice_number: 'POLAR-1',
          customer: { email: 'ada@example.com', name: 'Ada', tax_id: ['FR61954506077', 'eu_vat'] },
        }),
      ),
      {
        billing: { name: 'Ada SARL', address: lines, tax_number: 'FR61954506077' },
        invoice: { number: 'POLAR-1', url: null },
      },
    ],
    [
      'paddle',
      paddleEvent(
        'transaction.completed',
        paddleTransaction({ business_id: 'biz_1', address_id: 'add_1', details: taxed }),
      ),
      {
        billing: { name: 'Ada SARL', address: lines, tax_number: 'FR61954506077' },
        invoice: { number: '325-10566', url: null },
        vat_rate: '7',
      },
    ],
    // Invalid receipt facts never block a sale, whatever a provider sends.
    [
      'stripe',
      stripeEvent('invoice.paid', stripeInvoice({ customer_tax_ids: 'none', invoice_pdf: 'no link', number: 5 })),
      { reference: 'in_1', billing: { tax_number: null }, invoice: { number: null, url: null } },
    ],
    [
      'paddle',
      paddleEvent('transaction.completed', paddleTransaction({ business_id: 'biz_9' })),
      { billing: { name: 'Ada', address: null, tax_number: null } },
    ],
  ] as const)('is told with the order of %s', async (name, event, facts) => {
    const business = { id: 'biz_1', name: 'Ada SARL', tax_identifier: 'FR61954506077' };
    const address = { id: 'add_1', first_line: 'Rue 1', postal_code: '75001', city: 'Paris', country_code: 'FR' };
    const known = { ...KNOWN };
    for (const told of [paddleEvent('business.created', business), paddleEvent('address.created', address)]) {
      const heard = await tell('paddle', told);
      Object.assign(known, heard.ok && heard.value.names);
    }
    const told = await tell(name, event, known);
    expect(told.ok && told.value.events[0]?.facts).toMatchObject(facts);
  });

  test.each([
    [[], undefined],
    [[19, 19], '19'],
    [[7, 19], undefined],
    [[0.07 * 100], '7'],
    [[8.875], '8.875'],
    [[0], '0'],
  ])('a billing party pays by one tax rate or by an unstated one: %j', (percents, rate) => {
    expect(oneRate(percents)).toBe(rate);
  });
});

describe('events of Polar', () => {
  test('a paid order sells its product and says whether it begins a subscription', async () => {
    expect((await factsOf('polar', polarEvent('order.paid', polarOrder()))).facts).toMatchObject({
      reference: 'order-uuid',
      buyer: { email: 'ada@example.com', name: 'Ada', locale: null },
      currency: 'USD',
      total_cents: 4760,
      vat_cents: 760,
      subscription: null,
      lines: [{ price: 'product-uuid', quantity: 1, total_cents: 4760, discount_cents: 1000 }],
    });
    const item = { amount: 4500, tax_amount: 760 };
    const items = [
      { label: 'Unused time', amount: -500, tax_amount: 0 },
      { label: 'Pro', ...item },
      { label: '12 calls', amount: 500, tax_amount: 0 },
    ];
    expect((await factsOf('polar', polarEvent('order.paid', polarOrder({ items })))).facts).toMatchObject({
      lines: [
        { text: 'Unused time', total_cents: -500 },
        { text: 'Pro', price: 'product-uuid', total_cents: 5260 },
        { text: '12 calls', total_cents: 500 },
      ],
    });
    const withTax = polarOrder({ items: [{ label: 'Pro', amount: 5760, tax_amount: 760 }] });
    expect((await factsOf('polar', polarEvent('order.paid', withTax))).facts).toMatchObject({
      lines: [{ text: 'Pro', total_cents: 5760 }],
    });
    const renewal = polarOrder({ subscription_id: 'sub', billing_reason: 'subscription_cycle' });
    expect((await factsOf('polar', polarEvent('order.paid', renewal))).facts).toMatchObject({
      subscription: { reference: 'sub', begins: false },
    });
  });

  test('a subscription ends with its period, and a cancelled one at its own date', async () => {
    const end = '2026-12-21T08:00:00.000Z';
    for (const [change, expected] of [
      [{}, { status: 'active', ends_at: end, next_charge_at: end }],
      [
        { cancel_at_period_end: true, canceled_at: AT, ends_at: end },
        { status: 'cancelled', ends_at: end, next_charge_at: null },
      ],
      [
        { status: 'canceled', canceled_at: AT, ended_at: AT },
        { status: 'expired', ends_at: AT },
      ],
    ] as const) {
      const event = polarEvent('subscription.updated', polarSubscription(change));
      expect((await factsOf('polar', event)).facts).toMatchObject({ things: [{ price: 'product-uuid' }], ...expected });
    }
  });

  test('a refund returns its amount and tax, and a pending or failed one nothing', async () => {
    expect((await factsOf('polar', polarEvent('refund.created', polarRefund()))).facts).toMatchObject({
      order_reference: 'order-uuid',
      amount_cents: 1190,
    });
    const revoking = await factsOf('polar', polarEvent('refund.created', polarRefund({ revoke_benefits: true })));
    expect(revoking.facts).toMatchObject({ ends_access: true });
    expect(await tell('polar', polarEvent('refund.created', polarRefund({ status: 'pending' })))).toEqual(NOTHING);
    const failed = await factsOf('polar', polarEvent('refund.updated', polarRefund({ status: 'failed' })));
    expect(failed.facts).toMatchObject({ amount_cents: 0 });
  });
});

describe('amounts in currencies with units other than those of ISO 4217', () => {
  test.each([
    ['isk', 490_000, 4900],
    ['ugx', 1_000_000, 10_000],
    ['mga', 5000, 500_000],
    ['jpy', 5000, 5000],
    ['kwd', 5000, 5000],
    ['usd', 4900, 4900],
  ])('the Stripe amount %s: %d is %d minor units', async (currency, amount, minor) => {
    const sold = stripeSession({
      currency,
      amount_total: amount,
      total_details: { amount_discount: amount, amount_tax: amount },
    });
    const { facts } = await factsOf('stripe', stripeEvent('checkout.session.completed', sold));
    const money = { total_cents: minor, vat_cents: minor, lines: [{ total_cents: minor, discount_cents: minor }] };
    expect(facts).toMatchObject(money);
    const lines = { data: [{ amount, quantity: 1, price: 'price_1' }], has_more: false };
    const invoice = stripeInvoice({ currency, total: amount, total_taxes: [{ amount }], lines });
    expect((await factsOf('stripe', stripeEvent('invoice.paid', invoice))).facts).toMatchObject({
      ...money,
      lines: [{ total_cents: minor }],
    });
    const refunded = await factsOf('stripe', stripeEvent('refund.created', stripeRefund({ currency, amount })));
    expect(refunded.facts).toMatchObject({ amount_cents: minor });
    const renewed = stripeSubscription({
      currency,
      items: { data: [{ ...ITEM, quantity: 1, price: { id: 'p', unit_amount: amount } }] },
    });
    const subscribed = await factsOf('stripe', stripeEvent('customer.subscription.updated', renewed));
    expect(subscribed.facts).toMatchObject({ renewal_amount_cents: minor });
  });

  test.each([
    ['isk', 490_000, 4900],
    ['ugx', 1_000_000, 10_000],
    ['mga', 5000, 500_000],
    ['jpy', 5000, 5000],
    ['usd', 4900, 4900],
  ])('the Polar amount %s: %d is %d minor units in orders, lines, renewals and refunds', async (currency, amount, minor) => {
    const money = { currency, tax_amount: 0 };
    const factsIn = async (type: string, data: object) => (await factsOf('polar', polarEvent(type, data))).facts;
    const order = { ...money, total_amount: amount, discount_amount: 0 };
    const sold = { total_cents: minor, vat_cents: 0, lines: [{ total_cents: minor }] };
    expect(await factsIn('order.paid', polarOrder({ ...order, items: [] }))).toMatchObject(sold);
    const items = [{ label: 'Pro', amount, tax_amount: 0 }];
    expect(await factsIn('order.paid', polarOrder({ ...order, items }))).toMatchObject(sold);
    const subscription = polarSubscription({ currency, amount });
    expect(await factsIn('subscription.updated', subscription)).toMatchObject({ renewal_amount_cents: minor });
    expect(await factsIn('refund.created', polarRefund({ ...money, amount }))).toMatchObject({ amount_cents: minor });
  });
});
