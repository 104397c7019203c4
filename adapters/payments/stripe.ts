import { Stripe } from 'stripe';
import * as z from 'zod';
import type { Buyer, OrderFacts, Period, SoldLine, ThingName } from '../../domain/sales/sale-event.ts';
import { factsOfStanding, renewalOf, statusNamed, TAKEN_BACK } from '../../domain/sales/standing.ts';
import { millis } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { FindMeaning, PaymentProvider, ProviderSource, Told } from '../../ports/outbound/sales.ts';
import * as body from './bodies.ts';
import { providerFetch } from './provider-fetch.ts';
import { silent } from './rest.ts';

/*
 * Events of Stripe (https://docs.stripe.com/api/events/types), each with the object of its type: Checkout Session,
 * Invoice, Invoice Payment, Subscription, Refund, Dispute, Customer. Their shapes follow the types of the package
 * `stripe`; where version 2025-03-31.basil moved a field, both places are read. Without an API key, the event alone
 * must suffice.
 */

const NAME = 'stripe';

const PAGE = { limit: 100 };

/** Milliseconds for all attempts of a request together; each attempt has its own limit. */
const MOST_MS = 180_000;

/** Turns off the package's check of the signature's age; `signedEvent` has checked it. */
const UNLIMITED = 0;

const Id = z.union([body.reference, z.object({ id: body.reference }).transform(({ id }) => id)]);

const buyerOf = (email: string | null, name: string | null, locale: string | null = null): Buyer => ({
  email: email ?? '',
  name,
  locale: locale === 'auto' ? null : locale,
});

/** The buyer that a customer's id refers to; nothing if the buyer has no address. */
const customerNames = (customer: string | null, buyer: Buyer): Told['names'] =>
  customer !== null && buyer.email !== '' ? { [customer]: { buyer } } : {};

const Customer = z.object({
  id: body.reference,
  email: body.maybe(body.text),
  name: body.maybe(body.text),
  preferred_locales: body.maybe(z.array(body.text)),
});

const TaxIds = body.printed(z.array(z.object({ value: body.maybe(body.text) })));

/** The customer's tax numbers; most customers have one. */
const taxNumber = (ids: z.output<typeof TaxIds>): string | null =>
  ids?.flatMap(({ value }) => value || []).join(', ') || null;

/** Metadata values are strings. */
const Quantity = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number);

/** A line of a session, which only the API returns. */
const SessionLine = z.object({
  description: body.maybe(z.string()),
  amount_total: z.int(),
  amount_discount: body.cents,
  quantity: body.maybe(z.int().min(0)),
  price: body.maybe(Id),
});

const Session = z.object({
  id: body.reference,
  mode: z.string(),
  created: body.seconds,
  invoice: body.maybe(Id),
  payment_intent: body.maybe(Id),
  customer: body.maybe(Id),
  payment_status: z.string(),
  payment_method_types: z.array(body.text).max(100),
  amount_total: body.maybe(body.cents),
  currency: body.maybe(body.currency),
  total_details: body.maybe(z.object({ amount_discount: body.cents, amount_tax: body.cents })),
  customer_details: body.maybe(
    z.object({
      email: body.maybe(body.text),
      name: body.maybe(body.text),
      business_name: body.printed(body.text),
      address: body.printed(body.Address),
      tax_ids: TaxIds,
    }),
  ),
  locale: body.maybe(body.text),
  livemode: body.maybe(z.boolean()),
  line_items: body.maybe(z.object({ data: z.array(SessionLine) })),
  metadata: body.maybe(
    z.object({ product: body.maybe(body.text), price: body.maybe(body.text), quantity: body.maybe(Quantity) }),
  ),
});

const NOTHING_SOLD =
  'The session has no invoice, and its metadata name neither a product nor a price; set metadata.product, let Stripe make an invoice of each payment, or set STRIPE_API_KEY.';

/** A payment without an invoice. Its events have no lines, so the metadata names the product. */
const sessionTells = (isCancelled: boolean) =>
  body.telling(Session, (session, at) => {
    const { email = null, name = null, business_name, address = null, tax_ids = null } = session.customer_details ?? {};
    const buyer = buyerOf(email, name, session.locale);
    const names = customerNames(session.customer, buyer);
    const { invoice, mode, metadata, total_details, payment_intent } = session;
    if (mode !== 'payment' || invoice !== null) return { ok: true, value: { events: [], names } };
    const items = session.line_items?.data ?? [];
    const [item] = items.length === 1 ? items : [];
    const price = metadata?.price ?? item?.price ?? undefined;
    const thing: ThingName | null = metadata?.product
      ? { product: metadata.product, price }
      : metadata?.price
        ? { price }
        : null;
    if (!thing && items.length === 0) return body.notUnderstood(NOTHING_SOLD);
    const quantity = metadata?.quantity ?? item?.quantity ?? 1;
    const isPaid = session.payment_status !== 'unpaid';
    const [method = NAME, ...others] = session.payment_method_types;
    const { currency } = session;
    const total_cents = body.minor(session.amount_total ?? 0, currency);
    const discount_cents = body.minor(total_details?.amount_discount ?? 0, currency);
    const facts: OrderFacts = {
      kind: 'order',
      reference: payment_intent ?? session.id,
      buyer,
      status: isCancelled ? 'cancelled' : isPaid ? 'paid' : 'pending',
      ordered_at: session.created,
      paid_at: isPaid ? at : null,
      currency: currency ?? '',
      payment_method: others.length === 0 ? method : NAME,
      total_cents,
      vat_cents: body.minor(total_details?.amount_tax ?? null, currency),
      receipt_url: null,
      ...testMode(session),
      billing: { name: business_name ?? name, address: body.addressLines(address), tax_number: taxNumber(tax_ids) },
      subscription: null,
      lines: thing
        ? [{ ...thing, quantity, total_cents, discount_cents }]
        : items.map((item) => ({
            price: item.price ?? undefined,
            text: item.description,
            quantity: item.quantity ?? 1,
            total_cents: body.minor(item.amount_total, currency),
            discount_cents: body.minor(item.amount_discount, currency),
          })),
    };
    const paymentNames: Told['names'] = payment_intent ? { [payment_intent]: { order_reference: payment_intent } } : {};
    return body.oneSale(NAME, at, facts, { ...names, ...paymentNames });
  });

const TaxRates = body.printed(z.array(z.object({ percentage: z.number().min(0).max(100) })));

/** An object of Stripe's test mode, in which no money moves, says `livemode: false`. */
const testMode = ({ livemode }: { readonly livemode: boolean | null }) => (livemode === false ? { test: true } : {});

const Line = z.object({
  description: body.maybe(z.string()),
  amount: z.int(),
  period: body.maybe(z.object({ start: body.seconds, end: body.seconds })),
  quantity: body.maybe(z.int().min(0)),
  discount_amounts: body.maybe(z.array(z.object({ amount: body.cents }))),
  pricing: body.maybe(z.object({ price_details: body.maybe(z.object({ price: Id })) })),
  price: body.maybe(Id),
  taxes: body.maybe(z.array(z.object({ amount: z.int(), tax_behavior: z.string() }))),
  tax_amounts: body.maybe(z.array(z.object({ amount: z.int(), inclusive: z.boolean() }))),
  tax_rates: TaxRates,
});

const Invoice = z.object({
  id: body.reference,
  created: body.seconds,
  billing_reason: body.maybe(z.string()),
  currency: body.currency,
  total: z.int(),
  customer: body.maybe(Id),
  customer_email: body.maybe(body.text),
  customer_name: body.maybe(body.text),
  customer_address: body.printed(body.Address),
  customer_tax_ids: TaxIds,
  livemode: body.maybe(z.boolean()),
  hosted_invoice_url: body.maybe(body.link),
  invoice_pdf: body.printed(body.link),
  number: body.printed(body.text),
  default_tax_rates: TaxRates,
  status_transitions: z.object({ paid_at: body.maybe(body.seconds) }),
  parent: body.maybe(z.object({ subscription_details: body.maybe(z.object({ subscription: Id })) })),
  subscription: body.maybe(Id),
  total_taxes: body.maybe(z.array(z.object({ amount: z.int() }))),
  tax: body.maybe(z.int()),
  payment_intent: body.maybe(Id),
  lines: z.object({ data: z.array(Line), has_more: z.boolean() }),
});

const sum = (parts: readonly { readonly amount: number }[] | null | undefined): number =>
  (parts ?? []).reduce((total, { amount }) => total + amount, 0);

const addedTax = ({ taxes, tax_amounts }: z.output<typeof Line>): number =>
  sum(taxes?.filter(({ tax_behavior }) => tax_behavior === 'exclusive')) +
  sum(tax_amounts?.filter(({ inclusive }) => !inclusive));

const lineOf = (line: z.output<typeof Line>, currency: string): SoldLine => {
  const discount = sum(line.discount_amounts);
  return {
    price: line.pricing?.price_details?.price ?? line.price ?? undefined,
    text: line.description,
    quantity: line.quantity ?? 1,
    total_cents: body.minor(line.amount - discount + addedTax(line), currency),
    discount_cents: body.minor(discount, currency),
  };
};

/** The latest period that the lines cover. A fee covers no period, and a credit returns one. */
const paidPeriod = ({ lines }: z.output<typeof Invoice>): Period | null =>
  lines.data
    .flatMap(({ period, amount }) => (period && amount >= 0 ? [{ starts_at: period.start, ends_at: period.end }] : []))
    .filter(({ starts_at, ends_at }) => starts_at < ends_at)
    .reduce<Period | null>((latest, one) => (latest && latest.starts_at >= one.starts_at ? latest : one), null);

/** The tax rates of an invoice's lines, in some countries the sum of two. Stripe Tax refers to them only by id, which reveals no rate. */
const ratesOf = ({ lines, default_tax_rates }: z.output<typeof Invoice>): number[] =>
  lines.data
    .map(({ tax_rates }) => (tax_rates?.length ? tax_rates : (default_tax_rates ?? [])))
    .flatMap((rates) => (rates.length === 0 ? [] : rates.reduce((sum, { percentage }) => sum + percentage, 0)));

const MORE_LINES = 'The invoice has more lines than its event holds; set STRIPE_API_KEY, and run the event again.';

const invoiceTells = body.telling(Invoice, async (invoice, at, find) => {
  if (invoice.lines.has_more) return body.notUnderstood(MORE_LINES);
  const named = buyerOf(invoice.customer_email, invoice.customer_name);
  const { customer } = invoice;
  // A customer without an address may get one later.
  const found = named.email === '' && customer !== null ? await body.buyerNamed(find, customer) : ok(named);
  if (!found.ok) return found;
  const buyer = found.value;
  const subscription = invoice.parent?.subscription_details?.subscription ?? invoice.subscription;
  const begins = invoice.billing_reason === 'subscription_create';
  const { total_taxes, tax, payment_intent, currency } = invoice;
  const facts: OrderFacts = {
    kind: 'order',
    reference: invoice.id,
    buyer,
    status: 'paid',
    ordered_at: invoice.created,
    paid_at: invoice.status_transitions.paid_at ?? at,
    currency,
    payment_method: NAME,
    total_cents: body.minor(invoice.total, currency),
    vat_cents: body.minor(total_taxes ? sum(total_taxes) : tax, currency),
    receipt_url: invoice.hosted_invoice_url,
    billing: {
      name: invoice.customer_name,
      address: body.addressLines(invoice.customer_address),
      tax_number: taxNumber(invoice.customer_tax_ids),
    },
    invoice: { number: invoice.number, url: invoice.invoice_pdf },
    vat_rate: body.oneRate(ratesOf(invoice)),
    ...testMode(invoice),
    subscription: subscription === null ? null : { reference: subscription, begins, period: paidPeriod(invoice) },
    lines: invoice.lines.data.map((line) => lineOf(line, currency)),
  };
  const names = customerNames(customer, named);
  return body.oneSale(NAME, at, facts, {
    ...names,
    ...(payment_intent && { [payment_intent]: { order_reference: invoice.id } }),
  });
});

const InvoicePayment = z.object({ invoice: Id, payment: z.object({ payment_intent: body.maybe(Id) }) });

const Item = z.object({
  quantity: body.maybe(z.int().min(0)),
  current_period_start: body.maybe(body.seconds),
  current_period_end: body.maybe(body.seconds),
  price: z.object({ id: body.reference, unit_amount: body.maybe(body.cents) }),
});

const Subscription = z.object({
  id: body.reference,
  status: z.string(),
  customer: Id,
  currency: body.currency,
  start_date: body.seconds,
  cancel_at_period_end: z.boolean(),
  cancel_at: body.maybe(body.seconds),
  canceled_at: body.maybe(body.seconds),
  ended_at: body.maybe(body.seconds),
  trial_end: body.maybe(body.seconds),
  cancellation_details: body.maybe(z.object({ reason: body.maybe(z.string()) })),
  current_period_start: body.maybe(body.seconds),
  current_period_end: body.maybe(body.seconds),
  items: z.object({ data: z.array(Item).min(1) }),
});

const subscriptionTells = body.telling(Subscription, async (subscription, at, find) => {
  const status = statusNamed(subscription.status);
  // The first payment of an incomplete subscription is pending or never came.
  if (!status) return body.NO_SALE;
  const buyer = await body.buyerNamed(find, subscription.customer);
  if (!buyer.ok) return buyer;
  const items = subscription.items.data;
  const units = items.map(({ price, quantity }) => ({
    // Metered usage has no quantity, so its price is not known in advance.
    cents: quantity === null ? null : body.minor(price.unit_amount, subscription.currency),
    quantity: quantity ?? 0,
  }));
  const facts = factsOfStanding(at, {
    reference: subscription.id,
    buyer: buyer.value,
    status,
    starts_at: subscription.start_date,
    period_starts_at: items[0]?.current_period_start ?? subscription.current_period_start,
    period_ends_at: items[0]?.current_period_end ?? subscription.current_period_end,
    trial_ends_at: subscription.trial_end,
    isCancelled: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    cancelled_at: subscription.canceled_at,
    // A trial without a payment method is paused at its end.
    ends_at: subscription.ended_at ?? subscription.cancel_at ?? (status === 'paused' ? subscription.trial_end : null),
    isUnpaid: status === 'expired' && subscription.cancellation_details?.reason === 'payment_failed',
    things: items.map(({ price, quantity }) => ({ price: price.id, quantity })),
    renewal: renewalOf(units, subscription.currency),
  });
  return body.oneSale(NAME, at, facts);
});

const Refund = z.object({
  id: body.reference,
  amount: body.cents,
  currency: body.currency,
  created: body.seconds,
  payment_intent: body.maybe(Id),
  status: body.maybe(z.string()),
});

const moneyBack = async (
  { id, amount, currency, created, payment_intent }: z.output<typeof Refund>,
  how: { at: string; find: FindMeaning; cause: 'refund' | 'chargeback'; isTakenBack: boolean },
): Promise<body.Content> => {
  // Every order has a payment intent; a charge without one paid for something else.
  if (payment_intent === null) return body.NO_SALE;
  const order = await how.find(payment_intent);
  if (!order || !('order_reference' in order)) return body.nameUnknown(payment_intent);
  return body.oneSale(NAME, how.at, {
    kind: 'refund',
    reference: id,
    order_reference: order.order_reference,
    refunded_at: created,
    things: null,
    ...(how.isTakenBack ? TAKEN_BACK : { amount_cents: body.minor(amount, currency), cause: how.cause }),
  });
};

const refundTells = body.telling(Refund, (refund, at, find) => {
  const isTakenBack = refund.status === 'failed' || refund.status === 'canceled';
  if (!isTakenBack && refund.status !== 'succeeded') return body.NO_SALE;
  return moneyBack(refund, { at, find, cause: 'refund', isTakenBack });
});

/** A warning is an inquiry by the bank, which moves no money. A dispute that a refund prevented moves none either. */
const disputeTells = body.telling(Refund, (dispute, at, find) =>
  dispute.status?.startsWith('warning_')
    ? body.NO_SALE
    : moneyBack(dispute, {
        at,
        find,
        cause: 'chargeback',
        isTakenBack: ['won', 'prevented'].includes(dispute.status ?? ''),
      }),
);

const customerTells = body.telling(Customer, ({ id, email, name, preferred_locales }) => ({
  ok: true,
  value: { events: [], names: customerNames(id, buyerOf(email, name, preferred_locales?.[0])) },
}));

const SESSIONS: body.Tellers = {
  ...body.allOf('checkout.session', 'completed async_payment_succeeded', sessionTells(false)),
  'checkout.session.async_payment_failed': sessionTells(true),
};

const TELLERS: body.Tellers = {
  ...body.allOf('customer', 'created updated', customerTells),
  ...SESSIONS,
  'invoice.paid': invoiceTells,
  'invoice_payment.paid': body.telling(InvoicePayment, ({ invoice, payment: { payment_intent } }) => ({
    ok: true,
    value: { events: [], names: payment_intent ? { [payment_intent]: { order_reference: invoice } } : {} },
  })),
  ...body.allOf('customer.subscription', 'created updated deleted paused resumed', subscriptionTells),
  ...body.allOf('refund', 'created updated failed', refundTells),
  ...body.allOf('charge.dispute', 'created updated closed', disputeTells),
};

const HEAD = z.object({ id: body.event_id, type: body.text });

const EVENT = z
  .object({ type: z.string(), created: body.seconds, data: z.object({ object: z.unknown() }) })
  .transform(({ type, created, data }) => ({ type, at: created, data: data.object }));

/** The time in a signature `t=…,v1=…` (https://docs.stripe.com/webhooks#verify-manually). */
const timeIn = (signature: string): number => Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN);

/**
 * The maximum number of lines that are read of a session or an invoice. It exceeds the limit of an order, so that a
 * longer order is noticed.
 */
const MOST_LINES_READ = 200;

type Long = { readonly has_more?: unknown } | null;

/** The parts of a body that show whether it lacks lines. Only its type has been validated. */
type Lacking = { readonly type: string; readonly data?: { readonly object?: Short | null } | null };
type Short = { readonly [M in 'mode' | 'invoice']?: unknown } & { readonly [M in 'lines' | 'line_items']?: Long } & {
  readonly id?: string;
  readonly metadata?: { readonly quantity?: unknown } | null;
};

/** An object of a list. A session's payment intent is expanded, because it contains the time of payment. */
type Listed = {
  readonly id: string;
  readonly created: number;
  readonly payment_intent?: string | { readonly latest_charge?: { readonly created?: number } | null } | null;
};

/** The API, through the package. Tests redirect it with `options`. */
const sourceOf = (key: string, options: Stripe.StripeConfig): ProviderSource => {
  const httpClient = Stripe.createFetchHttpClient(providerFetch);
  const client = new Stripe(key, { maxNetworkRetries: 0, timeout: MOST_MS, telemetry: false, httpClient, ...options });
  const ask = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: { readonly statusCode?: number }) => {
      if (error.statusCode === 404) return undefined;
      throw silent({ name: 'Stripe', variable: 'STRIPE_API_KEY' }, error.statusCode);
    });
  return {
    complete: (text) => {
      const event = JSON.parse(text) as Lacking;
      const object = event.data?.object;
      if (!object?.id) return undefined;
      const { id, mode, invoice, metadata, lines, line_items } = object;
      const isLong = event.type === 'invoice.paid' && lines?.has_more === true;
      const isOne = Object.hasOwn(SESSIONS, event.type) && mode === 'payment' && !invoice;
      const isBare = isOne && !metadata?.quantity && line_items?.has_more !== false;
      if (!isLong && !isBare) return undefined;
      const { invoices, checkout } = client;
      return async () => {
        const all = isLong ? invoices.listLineItems(id, PAGE) : checkout.sessions.listLineItems(id, PAGE);
        const data = await ask<object[]>(all.autoPagingToArray({ limit: MOST_LINES_READ }));
        Object.assign(object, { [isLong ? 'lines' : 'line_items']: { data: data ?? [], has_more: false } });
        return JSON.stringify(event);
      };
    },
    meaning: async (id) => {
      if (id.startsWith('cus_')) {
        const customer = await ask(client.customers.retrieve(id));
        const named = await customerTells(customer, '', async () => undefined);
        return named.ok ? named.value.names[id] : undefined;
      }
      if (!id.startsWith('pi_')) return undefined;
      const payment = { type: 'payment_intent', payment_intent: id } as const;
      const [paid] = (await ask(client.invoicePayments.list({ payment, limit: 1 })))?.data ?? [];
      // A payment without an invoice pays for a session, whose order is referenced by the payment intent.
      return { order_reference: paid ? Id.parse(paid.invoice) : id };
    },
    objects: async function* (since) {
      const from = { ...PAGE, ...(since !== null && { created: { gte: Math.floor(millis(since) / 1000) } }) };
      const { customers, subscriptions, invoices, checkout, refunds, disputes } = client;
      const expand = ['data.line_items', 'data.payment_intent.latest_charge'];
      const lists = [
        ['Customers', 'customer.updated', () => customers.list(PAGE)],
        ['Orders', 'invoice.paid', () => invoices.list({ ...from, status: 'paid' })],
        ['Orders', 'checkout.session.completed', () => checkout.sessions.list({ ...from, status: 'complete', expand })],
        ['Subscriptions', 'customer.subscription.updated', () => subscriptions.list({ ...PAGE, status: 'all' })],
        ['Refunds', 'refund.updated', () => refunds.list(from)],
        ['Refunds', 'charge.dispute.updated', () => disputes.list(from)],
      ] as const;
      for (const [stage, type, list] of lists) {
        const pages: AsyncIterator<object> = list()[Symbol.asyncIterator]();
        for (;;) {
          const { done, value } = (await ask(pages.next())) ?? { done: true };
          if (done) break;
          const { id, created, payment_intent } = value as Listed;
          const charged = typeof payment_intent === 'object' ? payment_intent?.latest_charge?.created : undefined;
          const event = { type, created: charged ?? created, data: { object: value } };
          yield { stage, reference: id, body: JSON.stringify(event) };
        }
      }
    },
  };
};

export const stripe = (
  secrets: readonly string[],
  key?: string | undefined,
  options: Stripe.StripeConfig = {},
): PaymentProvider => ({
  name: NAME,
  source: key === undefined ? undefined : sourceOf(key, options),
  verify: (raw, headers, now) => {
    const signature = headers['stripe-signature'] ?? '';
    const fits = (sent: Buffer, secret: string) =>
      Stripe.webhooks.signature?.verifyHeader(sent, signature, secret, UNLIMITED, undefined, millis(now)) === true;
    return body.signedEvent({ raw, signedAt: timeIn(signature), now, secrets, fits, head: HEAD });
  },
  tell: body.tellerOf(TELLERS, EVENT),
});
