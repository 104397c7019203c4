import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { paddle } from '../../adapters/payments/paddle.ts';
import { polar } from '../../adapters/payments/polar.ts';
import { standard } from '../../adapters/payments/standard.ts';
import { stripe } from '../../adapters/payments/stripe.ts';
import type { PaymentProvider } from '../../ports/outbound/sales.ts';

/* Bodies in the documented form of each provider, with fields that are read and some that are not. */

type Headers = Readonly<Record<string, string>>;

/** A signer for one provider: the secret, the adapter, and the headers for a body at a moment. */
export type Signer = {
  readonly name: string;
  readonly secret: string;
  readonly otherSecret: string;
  readonly open: (secrets: readonly string[]) => PaymentProvider;
  readonly sign: (body: string, at?: number, secret?: string, id?: string) => Headers;
  /** A body that concerns a sale. */
  readonly order: () => object;
};

const SHOP_SECRET = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`;
const POLAR_SECRET = 'polar_whs_2HkQ7bYbUeAvRz2mWmJ5';

const standardHeaders =
  (webhook: (secret: string) => Webhook, usual: string): Signer['sign'] =>
  (body, at = Date.now(), secret = usual, id = 'msg_1') => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': webhook(secret).sign(id, new Date(at), body),
  });

export const SIGNERS: Readonly<Record<'stripe' | 'paddle' | 'shop' | 'polar', Signer>> = {
  stripe: {
    name: 'stripe',
    secret: 'whsec_first',
    otherSecret: 'whsec_second',
    open: stripe,
    sign: (payload, at = Date.now(), secret = 'whsec_first') => ({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(at / 1000),
      }),
    }),
    order: () => stripeEvent('checkout.session.completed', stripeSession()),
  },
  paddle: {
    name: 'paddle',
    secret: 'pdl_ntfset_first',
    otherSecret: 'pdl_ntfset_second',
    open: paddle,
    // The package has no signer; https://developer.paddle.com/webhooks/signature-verification documents the signature.
    sign: (body, at = Date.now(), secret = 'pdl_ntfset_first') => {
      const ts = Math.floor(at / 1000);
      return {
        'paddle-signature': `ts=${ts};h1=${createHmac('sha256', secret).update(`${ts}:${body}`).digest('hex')}`,
      };
    },
    order: () => paddleEvent('transaction.completed', paddleTransaction()),
  },
  shop: {
    name: 'shop',
    secret: SHOP_SECRET,
    otherSecret: `whsec_${Buffer.from('another secret, 24 bytes').toString('base64')}`,
    open: standard,
    sign: standardHeaders((secret) => new Webhook(secret), SHOP_SECRET),
    order: () => shopEvent('order', shopOrder()),
  },
  polar: {
    name: 'polar',
    secret: POLAR_SECRET,
    otherSecret: 'polar_whs_another',
    open: polar,
    // As Polar's own package derives the signer's key.
    sign: standardHeaders((secret) => new Webhook(Buffer.from(secret).toString('base64')), POLAR_SECRET),
    order: () => polarEvent('order.paid', polarOrder()),
  },
};

const AT = '2026-11-21T08:00:00.000Z';
const S = Date.parse(AT) / 1000;

let made = 0;

/** https://docs.stripe.com/api/events/object */
export const stripeEvent = (type: string, object: object, overrides: object = {}): object => ({
  id: `evt_stripe_${++made}`,
  object: 'event',
  api_version: '2026-10-29.clover',
  created: S,
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
  ...overrides,
});

/** https://docs.stripe.com/api/checkout/sessions/object */
export const stripeSession = (overrides: object = {}): object => ({
  id: 'cs_test_1',
  object: 'checkout.session',
  amount_subtotal: 5000,
  amount_total: 4900,
  created: S - 60,
  currency: 'usd',
  customer: 'cus_1',
  customer_details: { address: null, email: 'ada@example.com', name: 'Ada', phone: null, tax_exempt: 'none' },
  customer_email: null,
  invoice: null,
  locale: 'ko',
  metadata: { product: 'hashcheck' },
  mode: 'payment',
  payment_intent: 'pi_1',
  payment_method_types: ['card'],
  payment_status: 'paid',
  status: 'complete',
  subscription: null,
  total_details: { amount_discount: 100, amount_shipping: 0, amount_tax: 450 },
  ...overrides,
});

/** https://docs.stripe.com/api/invoices/object, in the form since 2025-03-31.basil */
export const stripeInvoice = (overrides: object = {}): object => ({
  id: 'in_1',
  object: 'invoice',
  billing_reason: 'subscription_create',
  created: S - 10,
  currency: 'usd',
  customer: 'cus_1',
  customer_email: 'ada@example.com',
  customer_name: 'Ada',
  hosted_invoice_url: 'https://invoice.stripe.com/i/acct_1/test_1',
  lines: {
    object: 'list',
    data: [
      {
        id: 'il_1',
        amount: 1000,
        currency: 'usd',
        discount_amounts: [{ amount: 200, discount: 'di_1' }],
        period: { start: S, end: S + 2_592_000 },
        pricing: { price_details: { price: 'price_monthly', product: 'prod_1' }, type: 'price_details' },
        quantity: 1,
        taxes: [{ amount: 80, tax_behavior: 'exclusive', taxable_amount: 800 }],
      },
    ],
    has_more: false,
  },
  parent: { quote_details: null, subscription_details: { subscription: 'sub_1' }, type: 'subscription_details' },
  status: 'paid',
  status_transitions: { finalized_at: S - 5, paid_at: S - 1 },
  total: 880,
  total_taxes: [{ amount: 80 }],
  ...overrides,
});

/** https://docs.stripe.com/api/subscriptions/object */
export const stripeSubscription = (overrides: object = {}): object => ({
  id: 'sub_1',
  object: 'subscription',
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  currency: 'usd',
  customer: 'cus_1',
  ended_at: null,
  items: {
    object: 'list',
    data: [
      {
        id: 'si_1',
        current_period_start: S,
        current_period_end: S + 2_592_000,
        price: { id: 'price_monthly', unit_amount: 1000 },
        quantity: 1,
      },
    ],
  },
  start_date: S,
  status: 'active',
  trial_end: null,
  ...overrides,
});

/** https://docs.stripe.com/api/refunds/object */
export const stripeRefund = (overrides: object = {}): object => ({
  id: 're_1',
  object: 'refund',
  amount: 4900,
  charge: 'ch_1',
  created: S + 60,
  currency: 'usd',
  payment_intent: 'pi_1',
  status: 'succeeded',
  ...overrides,
});

/** https://developer.paddle.com/webhooks/overview */
export const paddleEvent = (event_type: string, data: object, overrides: object = {}): object => ({
  event_id: `evt_01hv8x2axb33yr5y238zf${++made}`,
  event_type,
  occurred_at: '2026-11-21T08:00:00.155553Z',
  notification_id: 'ntf_01hv8x2azy7scaan4s0eb0273x',
  data,
  ...overrides,
});

/** https://developer.paddle.com/webhooks/customers/customer-created */
export const paddleCustomer = (overrides: object = {}): object => ({
  id: 'ctm_1',
  name: 'Ada',
  email: 'ada@example.com',
  locale: 'en',
  status: 'active',
  marketing_consent: false,
  custom_data: null,
  created_at: AT,
  updated_at: AT,
  ...overrides,
});

/** https://developer.paddle.com/webhooks/transactions/transaction-completed */
export const paddleTransaction = (overrides: object = {}): object => ({
  id: 'txn_1',
  status: 'completed',
  customer_id: 'ctm_1',
  subscription_id: null,
  origin: 'web',
  currency_code: 'EUR',
  invoice_number: '325-10566',
  collection_mode: 'automatic',
  created_at: AT,
  billed_at: AT,
  updated_at: AT,
  items: [{ price: { id: 'pri_1' }, quantity: 2, proration: null }],
  payments: [
    {
      amount: '11900',
      status: 'captured',
      captured_at: '2026-11-21T08:00:01.5Z',
      method_details: { type: 'card', card: { type: 'visa', last4: '4242' } },
    },
  ],
  details: {
    totals: {
      subtotal: '10000',
      discount: '0',
      tax: '1900',
      total: '11900',
      grand_total: '11900',
      currency_code: 'EUR',
    },
    line_items: [
      {
        id: 'txnitm_1',
        price_id: 'pri_1',
        quantity: 2,
        tax_rate: '0.19',
        totals: { subtotal: '10000', discount: '0', tax: '1900', total: '11900' },
      },
    ],
  },
  ...overrides,
});

/** https://developer.paddle.com/webhooks/subscriptions/subscription-created */
export const paddleSubscription = (overrides: object = {}): object => ({
  id: 'sub_01',
  status: 'active',
  customer_id: 'ctm_1',
  currency_code: 'EUR',
  created_at: AT,
  started_at: AT,
  next_billed_at: '2026-12-21T08:00:00.000Z',
  paused_at: null,
  canceled_at: null,
  current_billing_period: { starts_at: AT, ends_at: '2026-12-21T08:00:00.000Z' },
  billing_cycle: { interval: 'month', frequency: 1 },
  scheduled_change: null,
  items: [
    {
      status: 'active',
      quantity: 3,
      recurring: true,
      trial_dates: null,
      price: { id: 'pri_monthly', unit_price: { amount: '900', currency_code: 'EUR' } },
    },
  ],
  ...overrides,
});

/** https://developer.paddle.com/webhooks/adjustments/adjustment-created */
export const paddleAdjustment = (overrides: object = {}): object => ({
  id: 'adj_1',
  action: 'refund',
  type: 'partial',
  transaction_id: 'txn_1',
  subscription_id: null,
  customer_id: 'ctm_1',
  reason: 'asked for',
  status: 'approved',
  currency_code: 'EUR',
  created_at: AT,
  totals: { subtotal: '1000', tax: '190', total: '1190', currency_code: 'EUR' },
  ...overrides,
});

/** A shop's own system (docs/running.md). */
export const shopEvent = (type: string, data: object): object => ({ type, timestamp: AT, data });

export const shopOrder = (overrides: object = {}): object => ({
  reference: 'order-1',
  buyer: { email: 'ada@example.com' },
  ordered_at: AT,
  paid_at: AT,
  currency: 'KRW',
  total_cents: 19_000,
  lines: [{ product: 'hashcheck', total_cents: 19_000 }],
  ...overrides,
});

/** https://polar.sh/docs/integrate/webhooks/delivery */
export const polarEvent = (type: string, data: object): object => ({ type, timestamp: AT, data });

const POLAR_CUSTOMER = { id: 'cus-1', email: 'ada@example.com', name: 'Ada', external_id: null };

/** https://polar.sh/docs/api-reference/webhooks/order.paid */
export const polarOrder = (overrides: object = {}): object => ({
  id: 'order-uuid',
  created_at: AT,
  modified_at: null,
  status: 'paid',
  paid: true,
  subtotal_amount: 5000,
  discount_amount: 1000,
  net_amount: 4000,
  tax_amount: 760,
  total_amount: 4760,
  currency: 'usd',
  billing_reason: 'purchase',
  product_id: 'product-uuid',
  subscription_id: null,
  customer: POLAR_CUSTOMER,
  ...overrides,
});

/** https://polar.sh/docs/api-reference/webhooks/subscription.updated */
export const polarSubscription = (overrides: object = {}): object => ({
  id: 'subscription-uuid',
  status: 'active',
  amount: 900,
  currency: 'usd',
  created_at: AT,
  started_at: AT,
  current_period_start: AT,
  current_period_end: '2026-12-21T08:00:00.000Z',
  cancel_at_period_end: false,
  canceled_at: null,
  ends_at: null,
  ended_at: null,
  product_id: 'product-uuid',
  customer: POLAR_CUSTOMER,
  ...overrides,
});

/** https://polar.sh/docs/api-reference/webhooks/refund.created */
export const polarRefund = (overrides: object = {}): object => ({
  id: 'refund-uuid',
  status: 'succeeded',
  created_at: AT,
  amount: 1000,
  tax_amount: 190,
  currency: 'usd',
  order_id: 'order-uuid',
  subscription_id: null,
  ...overrides,
});
