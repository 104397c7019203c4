import { NodeRuntime, Webhooks, WebhooksValidator } from '@paddle/paddle-node-sdk';
import * as z from 'zod';
import type { BillingDetails } from '../../domain/accounts/billing-details.ts';
import { factsOfStanding, renewalOf, statusNamed, TAKEN_BACK } from '../../domain/sales/standing.ts';
import type { FindMeaning, PaymentProvider, ProviderSource } from '../../ports/outbound/sales.ts';
import * as body from './bodies.ts';
import { Listed, reading, silent } from './rest.ts';

/*
 * Events of Paddle Billing (https://developer.paddle.com/webhooks), each with the entity of its type. Their shapes
 * follow the types `I…NotificationResponse` of the package `@paddle/paddle-node-sdk`. Only a customer's own event
 * contains the buyer's address, so the other events wait for it.
 */

const NAME = 'paddle';

// The package accepts a signature for only five seconds, which a busy machine exceeds; it has no option for that.
Object.assign(WebhooksValidator, { MAX_VALID_TIME_DIFFERENCE: body.MAX_AGE_SECONDS });
NodeRuntime.initialize();

const Customer = z.object({
  id: body.reference,
  email: body.text,
  name: body.maybe(body.text),
  locale: body.maybe(body.text),
});

const Business = z.object({ id: body.reference, name: body.text, tax_identifier: body.printed(body.text) });

const Address = z
  .object({
    id: body.reference,
    first_line: body.printed(body.text),
    second_line: body.printed(body.text),
    postal_code: body.printed(body.text),
    city: body.printed(body.text),
    region: body.printed(body.text),
    country_code: body.printed(body.text),
  })
  .transform(({ first_line: line1, second_line: line2, region: state, country_code: country, ...rest }) => ({
    ...rest,
    ...{ line1, line2, state, country },
  }));

const Period = z.object({ starts_at: body.moment, ends_at: body.moment });

const Transaction = z.object({
  id: body.reference,
  customer_id: body.maybe(body.reference),
  business_id: body.printed(body.reference),
  address_id: body.printed(body.reference),
  invoice_number: body.printed(body.text),
  subscription_id: body.maybe(body.reference),
  origin: z.string(),
  currency_code: body.currency,
  created_at: body.moment,
  billed_at: body.maybe(body.moment),
  billing_period: body.maybe(Period),
  payments: z.array(
    z.object({
      status: z.string(),
      method_details: body.maybe(z.object({ type: body.text })),
      captured_at: body.maybe(body.moment),
    }),
  ),
  details: z.object({
    // A change to less is a credit (https://developer.paddle.com/changelog/2024/proration-improvements).
    totals: z.object({ total: body.creditText, tax: body.creditText }),
    tax_rates_used: body.printed(z.array(z.object({ tax_rate: z.coerce.number().min(0).max(1) }))),
    line_items: z
      .array(
        z.object({
          price_id: body.maybe(body.reference),
          quantity: z.int(),
          product: body.maybe(z.object({ name: z.string() })),
          totals: z.object({ total: body.creditText, discount: body.creditText }),
        }),
      )
      .max(100),
  }),
});

/** The billing details from an event about a business or an address; null if there was none. */
const detailsNamed = async (find: FindMeaning, id: string | null): Promise<BillingDetails | null> => {
  const meaning = id === null ? undefined : await find(id);
  return meaning && 'billing' in meaning ? meaning.billing : null;
};

/** A completed transaction. A paid transaction may not name its subscription yet; the completed event follows. */
const transactionTells = body.telling(Transaction, async (transaction, at, find) => {
  const { id, customer_id, subscription_id, details, origin } = transaction;
  const isNewCard = origin === 'subscription_payment_method_change' && details.totals.total === 0;
  if (!customer_id || isNewCard) return body.NO_SALE;
  const buyer = await body.buyerNamed(find, customer_id);
  if (!buyer.ok) return buyer;
  const [business, address] = await Promise.all(
    [transaction.business_id, transaction.address_id].map((name) => detailsNamed(find, name)),
  );
  const payment = transaction.payments.find(({ status }) => status === 'captured');
  return body.oneSale(NAME, at, {
    kind: 'order',
    reference: id,
    buyer: buyer.value,
    status: 'paid',
    ordered_at: transaction.created_at,
    paid_at: payment?.captured_at ?? transaction.billed_at ?? at,
    currency: transaction.currency_code,
    payment_method: payment?.method_details?.type ?? NAME,
    total_cents: details.totals.total,
    vat_cents: details.totals.tax,
    receipt_url: null,
    billing: {
      name: business?.name ?? buyer.value.name,
      address: address?.address ?? null,
      tax_number: business?.tax_number ?? null,
    },
    invoice: { number: transaction.invoice_number, url: null },
    vat_rate: body.oneRate((details.tax_rates_used ?? []).map(({ tax_rate }) => tax_rate * 100)),
    subscription: subscription_id
      ? {
          reference: subscription_id,
          begins: !origin.startsWith('subscription_'),
          period: transaction.billing_period,
        }
      : null,
    lines: details.line_items.map(({ price_id, quantity, product, totals }) => ({
      price: price_id ?? undefined,
      text: product?.name,
      quantity: Math.max(0, quantity),
      total_cents: totals.total,
      discount_cents: Math.max(0, totals.discount),
    })),
  });
});

const Subscription = z.object({
  id: body.reference,
  status: z.string(),
  customer_id: body.reference,
  created_at: body.moment,
  started_at: body.maybe(body.moment),
  paused_at: body.maybe(body.moment),
  canceled_at: body.maybe(body.moment),
  current_billing_period: body.maybe(Period),
  scheduled_change: body.maybe(z.object({ action: z.string(), effective_at: body.moment })),
  items: z
    .array(
      z.object({
        quantity: z.int().min(0),
        trial_dates: body.maybe(Period),
        price: z.object({
          id: body.reference,
          unit_price: body.maybe(z.object({ amount: body.centsText, currency_code: body.currency })),
        }),
      }),
    )
    .min(1)
    .max(100),
});

const subscriptionTells = body.telling(Subscription, async (subscription, at, find) => {
  const status = statusNamed(subscription.status);
  if (!status) return body.NO_SALE;
  const buyer = await body.buyerNamed(find, subscription.customer_id);
  if (!buyer.ok) return buyer;
  const { items, scheduled_change: change, canceled_at, paused_at } = subscription;
  const money = items.map(({ price }) => price.unit_price);
  const units = items.map(({ quantity }, n) => ({ cents: money[n]?.amount ?? null, quantity }));
  const isCancelled = change?.action === 'cancel' || change?.action === 'pause';
  const facts = factsOfStanding(at, {
    reference: subscription.id,
    buyer: buyer.value,
    status,
    starts_at: subscription.started_at ?? subscription.created_at,
    period_starts_at: subscription.current_billing_period?.starts_at ?? null,
    period_ends_at: subscription.current_billing_period?.ends_at ?? null,
    trial_ends_at: items[0]?.trial_dates?.ends_at ?? null,
    isCancelled,
    cancelled_at: canceled_at ?? (isCancelled ? at : null),
    ends_at: canceled_at ?? paused_at ?? change?.effective_at ?? null,
    things: items.map(({ price, quantity }) => ({ price: price.id, quantity })),
    renewal: renewalOf(units, money[0]?.currency_code),
  });
  return body.oneSale(NAME, at, facts);
});

const Adjustment = z.object({
  id: body.reference,
  action: z.string(),
  type: body.maybe(z.string()),
  transaction_id: body.reference,
  status: z.string(),
  created_at: body.moment,
  totals: z.object({ total: body.centsText }),
});

/** Credits move no money. A chargeback is reversed by a separate adjustment, which does not name the chargeback. */
const adjustmentTells = body.telling(
  Adjustment,
  ({ id, action, type, transaction_id, status, created_at, totals }, at) => {
    const isReversal = action === 'chargeback_reverse';
    const isKnown = isReversal || action === 'refund' || action === 'chargeback';
    if (!isKnown || !['approved', 'reversed'].includes(status)) return body.NO_SALE;
    const amount = type === 'full' && action === 'refund' ? null : totals.total;
    return body.oneSale(NAME, at, {
      kind: 'refund',
      reference: id,
      order_reference: transaction_id,
      refunded_at: created_at,
      things: null,
      ...(status === 'reversed'
        ? TAKEN_BACK
        : { amount_cents: isReversal ? -totals.total : amount, cause: action === 'refund' ? action : 'chargeback' }),
    });
  },
);

const customerTells = body.telling(Customer, ({ id, ...buyer }) => ({
  ok: true,
  value: { events: [], names: { [id]: { buyer } } },
}));

const named = (id: string, billing: BillingDetails): body.Content => ({
  ok: true,
  value: { events: [], names: { [id]: { billing } } },
});

const businessTells = body.telling(Business, ({ id, name, tax_identifier }) =>
  named(id, { name, address: null, tax_number: tax_identifier }),
);

const addressTells = body.telling(Address, ({ id, ...address }) =>
  named(id, { name: null, address: body.addressLines(address), tax_number: null }),
);

const TELLERS: body.Tellers = {
  ...body.allOf('customer', 'created imported updated', customerTells),
  ...body.allOf('business', 'created updated', businessTells),
  ...body.allOf('address', 'created updated', addressTells),
  'transaction.completed': transactionTells,
  ...body.allOf(
    'subscription',
    'activated canceled created imported past_due paused resumed trialing updated',
    subscriptionTells,
  ),
  ...body.allOf('adjustment', 'created updated', adjustmentTells),
};

const HEAD = z
  .object({ event_id: body.event_id, event_type: body.text })
  .transform(({ event_id, event_type }) => ({ id: event_id, type: event_type }));

const EVENT = z
  .object({ event_type: z.string(), occurred_at: body.moment, data: z.unknown() })
  .transform(({ event_type, occurred_at, data }) => ({ type: event_type, at: occurred_at, data }));

/** The parts of a signature `ts=…;h1=…` with a given name. During the rotation of a secret there are two `h1`. */
const partsOf = (signature: string, name: string): string[] =>
  signature.split(';').flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));

/**
 * The base URL of the API, which depends on the key's environment. The package that checks signatures is not used to
 * read: its calls have no timeout, and it spells entities differently from events.
 */
const apiOf = (key: string): string => `https://${key.startsWith('pdl_sdbx') ? 'sandbox-' : ''}api.paddle.com`;

const sourceOf = (key: string, base: string): ProviderSource => {
  const read = reading({ name: 'Paddle', variable: 'PADDLE_API_KEY', base }, key);
  return {
    meaning: async (id) => {
      if (!id.startsWith('ctm_')) return undefined;
      const found = Entity.safeParse(await read(`/customers/${encodeURIComponent(id)}`)).data;
      const named = await customerTells(found?.data, '', async () => undefined);
      return named.ok ? named.value.names[id] : undefined;
    },
    objects: async function* (since) {
      for (const [stage, path, event_type] of LISTS) {
        for (let next: string | undefined = path; next !== undefined; ) {
          const page: z.output<typeof Page> | undefined = Page.safeParse(await read(next)).data;
          if (!page) throw silent({ name: 'Paddle', variable: 'PADDLE_API_KEY' });
          const { has_more, next: after, estimated_total: total }: z.output<typeof Pagination> = page.meta.pagination;
          for (const data of page.data) {
            const { id: reference, created_at, updated_at } = data;
            if (since !== null && stage !== 'Customers' && stage !== 'Subscriptions' && created_at < since) continue;
            const occurred_at = updated_at ?? created_at;
            yield { stage, total, reference, body: JSON.stringify({ event_type, occurred_at, data }) };
          }
          next = has_more ? after : undefined;
        }
      }
    },
  };
};

const Entity = z.object({ data: z.unknown() });

const Pagination = z.object({
  has_more: z.boolean(),
  next: z.string().optional(),
  estimated_total: z.int().optional(),
});

const Page = z.object({ data: z.array(Listed), meta: z.object({ pagination: Pagination }) });

/**
 * The lists of the API, with the maximum page size of each
 * (https://developer.paddle.com/api-reference/about/pagination).
 */
const LISTS = [
  ['Customers', '/customers?per_page=200&status=active,archived', 'customer.updated'],
  ['Orders', '/transactions?per_page=30&status=completed', 'transaction.completed'],
  ['Subscriptions', '/subscriptions?per_page=200', 'subscription.updated'],
  ['Refunds', '/adjustments?per_page=50', 'adjustment.updated'],
] as const;

export const paddle = (
  secrets: readonly string[],
  key?: string | undefined,
  base = apiOf(key ?? ''),
): PaymentProvider => ({
  name: NAME,
  source: key === undefined ? undefined : sourceOf(key, base),
  verify: (raw, headers, now) => {
    const signature = headers['paddle-signature'] ?? '';
    const [ts = ''] = partsOf(signature, 'ts');
    const hashes = partsOf(signature, 'h1').slice(0, 4);
    const fits = async (sent: Buffer, secret: string): Promise<boolean> => {
      const fitting = hashes.map((h1) => new Webhooks().isSignatureValid(sent.toString(), secret, `ts=${ts};h1=${h1}`));
      return (await Promise.all(fitting)).includes(true);
    };
    return body.signedEvent({
      raw,
      signedAt: /^\d{1,12}$/.test(ts) ? Number(ts) : Number.NaN,
      now,
      secrets,
      fits,
      head: HEAD,
    });
  },
  tell: body.tellerOf(TELLERS, EVENT),
});
