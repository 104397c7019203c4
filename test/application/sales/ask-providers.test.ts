import { describe, expect, test } from 'vitest';
import { paddle } from '../../../adapters/payments/paddle.ts';
import { stripe } from '../../../adapters/payments/stripe.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Price } from '../../../domain/catalog/product.ts';
import type { PaymentProvider } from '../../../ports/outbound/sales.ts';
import { payments, sales } from '../../../runtimes/composition/areas/sales.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import {
  paddleCustomer,
  paddleEvent,
  paddleTransaction,
  SIGNERS,
  stripeEvent,
  stripeInvoice,
  stripeRefund,
  stripeSession,
  stripeSubscription,
} from '../../support/payment-bodies.ts';
import { providerApi, type StubAnswer, stripePage } from '../../support/provider-api.ts';

const KEY = 'rk_live_0123456789';
const PERMIT = grantPermit();
const terms = { device_limit: null, access_days: null, updates_days: null, grace_days: 0, apps: null };
const price = (provider: string, id: string): Price => ({ provider, id, ...terms });
const PRICES = [price('stripe', 'price_once'), price('paddle', 'pri_1')];
const PRODUCTS = [
  aProduct({ id: 1, slug: 'hashcheck', prices: PRICES }),
  aProduct({ id: 2, slug: 'monthly', prices: [price('stripe', 'price_monthly')] }),
];

const shopWith = async (provider: PaymentProvider | undefined) => {
  const shop = await aStore([payments, sales], { products: PRODUCTS }, { paymentProviders: async () => provider });
  shop.clock.at = new Date().toISOString();
  const deliver = async (name: 'stripe' | 'paddle', event: object): Promise<string> => {
    const body = JSON.stringify(event);
    const received = await shop.get('receiveEvent')({
      provider: name,
      raw: Buffer.from(body),
      headers: SIGNERS[name].sign(body, Date.parse(shop.clock.at)),
    });
    if (typeof received !== 'function') return received.code;
    return (await received({ permit: PERMIT, access: undefined })).value.state;
  };
  const ask = () => shop.get('askProviders')(PERMIT);
  const listed = async () => shop.get('listEvents')({ only: null, limit: 10 });
  const units = async () => {
    const account = await shop.get('accounts').findByEmail('ada@example.com');
    const { entitlements, subscriptions } = await shop.get('storedLicenses').held(account?.id ?? 0);
    return [...entitlements.map((one) => one.source_quantity), ...subscriptions.map((one) => one.units?.[1] ?? 1)];
  };
  return { ...shop, deliver, ask, listed, units };
};

const line = (n: number, of: object = {}) => ({
  id: `il_${n}`,
  amount: 100,
  quantity: 1,
  pricing: { price_details: { price: 'price_monthly' } },
  ...of,
});

const CUSTOMER = { id: 'cus_1', object: 'customer', email: 'ada@example.com', name: 'Ada', preferred_locales: ['ko'] };
const SESSION_LINE = { id: 'li_1', amount_total: 4900, amount_discount: 100, quantity: 3, price: { id: 'price_once' } };

describe('a worker with the provider’s API key', () => {
  test.each<[string, object, (path: string) => StubAnswer, number[]]>([
    [
      'the quantity of a Checkout session whose metadata name the product alone',
      stripeEvent('checkout.session.completed', stripeSession()),
      () => stripePage([SESSION_LINE]),
      [3],
    ],
    [
      'the lines of a Checkout session without metadata',
      stripeEvent('checkout.session.completed', stripeSession({ metadata: {} })),
      () => stripePage([SESSION_LINE]),
      [3],
    ],
    [
      'the lines of an invoice beyond those of its event, page by page',
      stripeEvent(
        'invoice.paid',
        stripeInvoice({
          total: 300,
          parent: null,
          billing_reason: 'manual',
          total_taxes: null,
          lines: { object: 'list', has_more: true, data: [line(1)] },
        }),
      ),
      (path) => (path.includes('starting_after=il_2') ? stripePage([line(3)]) : stripePage([line(1), line(2)], true)),
      [1, 1, 1],
    ],
    [
      'the customer of a subscription, who is from before the webhook',
      stripeEvent('customer.subscription.updated', stripeSubscription()),
      () => ({ json: CUSTOMER }),
      [1],
    ],
  ])('the worker asks %s, after the webhook was answered', async (_, event, answer, units) => {
    const api = await providerApi((url) => answer(url.pathname + url.search));
    const shop = await shopWith(stripe(['whsec_first'], KEY, api.options));
    expect([await shop.deliver('stripe', event), api.asked]).toEqual(['waiting', []]);
    expect(await shop.ask()).toBe(1);
    expect(await shop.listed()).toMatchObject([{ state: 'done', reason: null }]);
    expect(await shop.units()).toEqual(units);
    expect(await shop.ask()).toBe(0);
  });

  test('the worker asks for the invoice of a refunded payment, and for the customer of a Paddle transaction', async () => {
    const api = await providerApi((url) =>
      url.pathname.startsWith('/customers/')
        ? { json: { data: paddleCustomer(), meta: {} } }
        : stripePage([{ id: 'inpay_1', invoice: 'in_1' }]),
    );
    const ofStripe = await shopWith(stripe(['whsec_first'], KEY, api.options));
    expect(await ofStripe.deliver('stripe', stripeEvent('refund.created', stripeRefund()))).toBe('waiting');
    expect(await ofStripe.ask()).toBe(1);
    expect(api.asked[0]).toContain('/v1/invoice_payments?');
    const ofPaddle = await shopWith(paddle(['pdl_ntfset_first'], KEY, api.base));
    expect(await ofPaddle.deliver('paddle', paddleEvent('transaction.completed', paddleTransaction()))).toBe('waiting');
    expect(await ofPaddle.ask()).toBe(1);
    expect(await ofPaddle.units()).toEqual([2]);
  });

  test.each<[string, StubAnswer, string]>([
    [
      'refuses the key',
      { status: 401, json: { error: { message: `Invalid API Key: ${KEY}` } } },
      'Stripe refuses the key in STRIPE_API_KEY; make a new one there.',
    ],
    [
      'gives the key no right',
      { status: 403, json: { error: {} } },
      'The key in STRIPE_API_KEY may not read this; give it the rights that docs/running.md names.',
    ],
    [
      'fails each time',
      { status: 500, headers: { 'retry-after': '0' }, json: { error: {} } },
      'Stripe answers with 500.',
    ],
  ])('the worker asks a provider that %s, and the event waits with the reason and is settled later', async (_, fault, reason) => {
    let isMended = false;
    const api = await providerApi(() => (isMended ? stripePage([SESSION_LINE]) : fault));
    const shop = await shopWith(stripe(['whsec_first'], KEY, api.options));
    await shop.deliver('stripe', stripeEvent('checkout.session.completed', stripeSession()));
    expect(await shop.ask()).toBe(0);
    expect(await shop.listed()).toMatchObject([{ state: 'waiting', reason, attempts: 1 }]);
    expect(JSON.stringify(await shop.entries())).not.toContain(KEY);
    isMended = true;
    const calls = api.asked.length;
    expect([await shop.ask(), api.asked.length]).toEqual([0, calls]);
    shop.clock.at = new Date(Date.parse(shop.clock.at) + 60_000).toISOString();
    expect(await shop.ask()).toBe(1);
    expect(await shop.units()).toEqual([3]);
  });

  test('the worker retries after the seconds that a rate-limited response names', async () => {
    const api = await providerApi(() =>
      api.asked.length === 1
        ? { status: 429, headers: { 'retry-after': '1' }, json: { error: {} } }
        : stripePage([SESSION_LINE]),
    );
    const shop = await shopWith(stripe(['whsec_first'], KEY, api.options));
    await shop.deliver('stripe', stripeEvent('checkout.session.completed', stripeSession()));
    const began = Date.now();
    expect(await shop.ask()).toBe(1);
    expect(Date.now() - began).toBeGreaterThan(900);
  });
});

test('without an API key an event is recorded by its own data, or refused with a remedy', async () => {
  const shop = await shopWith(stripe(['whsec_first']));
  expect(await shop.deliver('stripe', stripeEvent('checkout.session.completed', stripeSession()))).toBe('done');
  const bare = stripeSession({ id: 'cs_2', payment_intent: 'pi_2', metadata: {} });
  expect(await shop.deliver('stripe', stripeEvent('checkout.session.completed', bare))).toBe('refused');
  const [{ reason } = {}] = (await shop.listed()).filter(({ state }) => state === 'refused');
  expect(reason).toMatch(/set STRIPE_API_KEY\.$/);
  expect(await shop.ask()).toBe(0);
});
