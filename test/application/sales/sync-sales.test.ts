import { describe, expect, test } from 'vitest';
import { paddle } from '../../../adapters/payments/paddle.ts';
import { polar } from '../../../adapters/payments/polar.ts';
import { stripe } from '../../../adapters/payments/stripe.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Price } from '../../../domain/catalog/product.ts';
import type { PaymentProvider } from '../../../ports/outbound/sales.ts';
import { operatorPermit } from '../../../runtimes/cli/command.ts';
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
  polarRefund,
  polarSubscription,
  SIGNERS,
  stripeEvent,
  stripeInvoice,
  stripeRefund,
  stripeSession,
  stripeSubscription,
} from '../../support/payment-bodies.ts';
import { providerApi, type StubAnswer, stripePage } from '../../support/provider-api.ts';

const KEY = 'rk_live_0123456789';
const terms = { device_limit: null, access_days: null, updates_days: null, grace_days: 0, apps: null };
const price = (provider: string, id: string): Price => ({ provider, id, ...terms });
const PRODUCTS = [
  aProduct({
    id: 1,
    slug: 'hashcheck',
    prices: [price('stripe', 'price_once'), price('paddle', 'pri_1'), price('polar', 'product-uuid')],
  }),
  aProduct({ id: 2, slug: 'memo', prices: [price('stripe', 'price_monthly'), price('paddle', 'pri_monthly')] }),
];

const shopWith = async (provider: PaymentProvider) => {
  const shop = await aStore([payments, sales], { products: PRODUCTS }, { paymentProviders: async () => provider });
  shop.clock.at = new Date().toISOString();
  const { name } = provider;
  const run = async (input: { trial?: boolean; mails?: boolean; since?: string } = {}) =>
    shop.get('syncSales')(operatorPermit('sync'), {
      provider: name,
      since: null,
      trial: false,
      mails: false,
      ...input,
    });
  const deliver = async (event: object): Promise<string> => {
    const at = Date.parse(shop.clock.at);
    const body = JSON.stringify(event);
    const signer = SIGNERS[name as keyof typeof SIGNERS];
    const received = await shop.get('receiveEvent')({
      provider: name,
      raw: Buffer.from(body),
      headers: signer.sign(body, at, undefined, `msg_${body.length}`),
    });
    if (typeof received !== 'function') return received.code;
    return (await received({ permit: grantPermit(), access: undefined })).value.state;
  };
  const held = async () => {
    const account = await shop.get('accounts').findByEmail('ada@example.com');
    const { entitlements, subscriptions } = await shop.get('storedLicenses').held(account?.id ?? 0);
    const orders = await shop.get('storedOrders').ofAccount(account?.id ?? 0);
    return {
      orders: orders.map(({ status }) => status).toSorted(),
      owns: entitlements.filter(({ revoked_at }) => revoked_at === null).map(({ product_id }) => product_id),
      subscriptions: subscriptions.map(({ status }) => status),
    };
  };
  return { ...shop, run, deliver, held };
};

const counts = (done: Awaited<ReturnType<Awaited<ReturnType<typeof shopWith>>['run']>>) => {
  if (!done.ok) return done;
  const { objects: _, ...rest } = done.value;
  return rest;
};

const LINE = { id: 'li_1', amount_total: 4900, amount_discount: 100, quantity: 3, price: { id: 'price_once' } };
const SESSION = stripeSession({ status: 'complete', line_items: { has_more: false, data: [LINE] } });
const CUSTOMER = { id: 'cus_1', object: 'customer', created: 1, email: 'ada@example.com', name: 'Ada' };

/** The lists of the three providers, with the payments on two pages each, in the form of their published documents. */
const LISTS: Readonly<Record<'stripe' | 'paddle' | 'polar', (url: URL) => StubAnswer | undefined>> = {
  stripe: (url) => {
    const after = url.searchParams.get('starting_after');
    switch (url.pathname) {
      case '/v1/customers':
        return stripePage([CUSTOMER]);
      case '/v1/invoices':
        return after === null ? stripePage([stripeInvoice()], true) : stripePage([stripeInvoice({ id: 'in_2' })]);
      case '/v1/checkout/sessions':
        return stripePage([SESSION]);
      case '/v1/subscriptions':
        return stripePage([stripeSubscription({ created: 1 })]);
      case '/v1/refunds':
        return stripePage([stripeRefund({ payment_intent: 'pi_1', amount: 4900 })]);
      case '/v1/invoice_payments':
        return stripePage([]);
      default:
        return stripePage([]);
    }
  },
  paddle: (url) => {
    const page = (data: object[], next?: string) => ({
      json: { data, meta: { pagination: { has_more: next !== undefined, next, estimated_total: 2, per_page: 1 } } },
    });
    switch (url.pathname) {
      case '/customers':
        return page([paddleCustomer()]);
      case '/transactions':
        return url.searchParams.has('after')
          ? page([paddleTransaction({ id: 'txn_2' })])
          : page([paddleTransaction()], `http://${url.searchParams.get('host') ?? ''}`);
      case '/subscriptions':
        return page([paddleSubscription()]);
      case '/adjustments':
        return page([paddleAdjustment({ type: 'full', totals: { total: '11900' } })]);
      default:
        return undefined;
    }
  },
  polar: (url) => {
    const page = url.searchParams.get('page');
    const of = (items: object[], max_page = 1) => ({ json: { items, pagination: { total_count: 2, max_page } } });
    switch (url.pathname) {
      case '/v1/orders/':
        return page === '1'
          ? of([polarOrder()], 2)
          : of([polarOrder({ id: 'order-2' }), polarOrder({ paid: false })], 2);
      case '/v1/subscriptions/':
        return of([polarSubscription()]);
      case '/v1/refunds/':
        return of([polarRefund({ amount: 4000, tax_amount: 760 })]);
      default:
        return undefined;
    }
  },
};

const OPEN = {
  stripe: (api: Awaited<ReturnType<typeof providerApi>>) => stripe(['whsec_first'], KEY, api.options),
  paddle: (api: Awaited<ReturnType<typeof providerApi>>) => paddle(['pdl_ntfset_first'], KEY, api.base),
  polar: (api: Awaited<ReturnType<typeof providerApi>>) => polar([SIGNERS.polar.secret], KEY, api.base),
};

type Name = keyof typeof OPEN;

/** The stub of a provider. A page of Paddle contains the URL of the next one. */
const apiOf = async (name: Name, before: (url: URL) => StubAnswer | undefined = () => undefined) => {
  const api: Awaited<ReturnType<typeof providerApi>> = await providerApi((url) => {
    const answer = before(url) ?? LISTS[name](url);
    const next = `${api.base}/transactions?after=txn_1`;
    return answer && { ...answer, json: JSON.parse(JSON.stringify(answer.json ?? {}).replace('http://"', `${next}"`)) };
  });
  return api;
};

/** The number of sales in each list. */
const ALL: Readonly<Record<Name, number>> = { stripe: 5, paddle: 4, polar: 4 };

const EVENTS: Readonly<Record<Name, readonly object[]>> = {
  stripe: [
    stripeEvent('customer.created', CUSTOMER),
    stripeEvent('invoice.paid', stripeInvoice()),
    stripeEvent('customer.subscription.created', stripeSubscription()),
    stripeEvent('checkout.session.completed', SESSION),
  ],
  paddle: [
    paddleEvent('customer.created', paddleCustomer()),
    paddleEvent('transaction.completed', paddleTransaction()),
    paddleEvent('subscription.created', paddleSubscription()),
  ],
  polar: [polarEvent('order.paid', polarOrder()), polarEvent('subscription.updated', polarSubscription())],
};

describe.each(['stripe', 'paddle', 'polar'] as const)('the sync of %s', (name) => {
  test('a sync records all pages of the provider’s list, and changes nothing when it runs again', async () => {
    const shop = await shopWith(OPEN[name](await apiOf(name)));
    const first = counts(await shop.run());
    expect(first).toMatchObject({ refused: 0, unchanged: 0 });
    const { orders, subscriptions } = await shop.held();
    expect(orders).toEqual(name === 'stripe' ? ['paid', 'paid', 'refunded'] : ['paid', 'refunded']);
    expect(subscriptions).toHaveLength(1);
    const before = await shop.entries();
    expect(counts(await shop.run())).toEqual({ recorded: 0, updated: 0, unchanged: ALL[name], refused: 0 });
    expect(await shop.entries()).toEqual(before);
  });

  test('a sync reports in a trial run what it would do and writes nothing', async () => {
    const shop = await shopWith(OPEN[name](await apiOf(name)));
    const before = await shop.entries();
    const tried = await shop.run({ trial: true });
    expect(counts(tried)).toMatchObject({ unchanged: 0, refused: 0 });
    expect(tried.ok && tried.value.objects.length).toBeGreaterThan(2);
    expect(await shop.entries()).toEqual(before);
  });

  test('a sync changes nothing that the webhook recorded, and adds what it missed', async () => {
    const shop = await shopWith(OPEN[name](await apiOf(name)));
    for (const event of EVENTS[name]) expect(await shop.deliver(event)).toMatch(/^(?:done|ignored)$/);
    const { owns } = await shop.held();
    expect(counts(await shop.run())).toMatchObject({ unchanged: EVENTS[name].length - (name === 'polar' ? 0 : 1) });
    expect((await shop.held()).owns.length).toBeLessThanOrEqual(owns.length + 1);
  });

  test('a sync waits when told to, retries after an error and tolerates a slow response', async () => {
    const faults: StubAnswer[] = [
      { status: 429, headers: { 'retry-after': '0' }, json: { error: {} } },
      { status: 500, headers: { 'retry-after': '0' }, json: { error: {} } },
    ];
    const shop = await shopWith(OPEN[name](await apiOf(name, () => faults.shift())));
    expect(counts(await shop.run())).toMatchObject({ refused: 0 });
  });

  test('a sync explains that the API key has expired, continues where it stopped and prints no key', async () => {
    let isEnded = true;
    const late = (url: URL) =>
      isEnded && /subscriptions/.test(url.pathname) ? { status: 401, json: { error: { message: KEY } } } : undefined;
    const shop = await shopWith(OPEN[name](await apiOf(name, late)));
    const stopped = await shop.run();
    expect(stopped).toMatchObject({ ok: false, code: 'provider_silent' });
    expect(!stopped.ok && stopped.message).toMatch(/refuses the key in \w+; make a new one there\. \d sales were read/);
    expect(JSON.stringify(stopped)).not.toContain(KEY);
    isEnded = false;
    expect(counts(await shop.run())).toMatchObject({ refused: 0 });
    expect((await shop.held()).subscriptions).toHaveLength(1);
  });
});

describe('a sync', () => {
  test('a sync refuses a sale by its reference with the reason, and continues', async () => {
    const unknown = stripeSession({ line_items: { has_more: false, data: [LINE] }, customer_details: null });
    const api = await apiOf('stripe', ({ pathname }) =>
      pathname === '/v1/checkout/sessions' ? stripePage([unknown]) : undefined,
    );
    const shop = await shopWith(OPEN.stripe(api));
    const done = await shop.run();
    expect(done.ok && done.value.objects.filter(({ result }) => result === 'refused')).toEqual([
      { reference: 'cs_test_1', result: 'refused', reason: expect.stringContaining('no valid email address') },
    ]);
    expect((await shop.held()).subscriptions).toHaveLength(1);
  });

  test('a sync does not overwrite a webhook’s later change', async () => {
    const shop = await shopWith(OPEN.stripe(await apiOf('stripe')));
    await shop.deliver(stripeEvent('customer.created', CUSTOMER));
    const created = Math.floor(Date.parse(shop.clock.at) / 1000);
    const ended = { status: 'canceled', ended_at: created };
    await shop.deliver(stripeEvent('customer.subscription.deleted', stripeSubscription(ended), { created }));
    await shop.run();
    expect((await shop.held()).subscriptions).toEqual(['expired']);
  });

  test('a sync corrects what a webhook missed days ago', async () => {
    const ended = { created: 1, status: 'canceled', ended_at: Date.parse('2026-11-24T08:00:00.000Z') / 1000 };
    const api = await apiOf('stripe', ({ pathname }) =>
      pathname === '/v1/subscriptions' ? stripePage([stripeSubscription(ended)]) : undefined,
    );
    const shop = await shopWith(OPEN.stripe(api));
    for (const event of EVENTS.stripe) await shop.deliver(event);
    await shop.run();
    expect((await shop.held()).subscriptions).toEqual(['expired']);
  });

  test('a sync asks Stripe for payments and refunds since a day, and for all subscriptions', async () => {
    const api = await apiOf('stripe');
    const shop = await shopWith(OPEN.stripe(api));
    await shop.run({ since: '2026-11-01T00:00:00.000Z' });
    const asked = decodeURIComponent(api.asked.join('\n'));
    expect(asked).toMatch(/\/v1\/invoices\?.*created\[gte\]=1793491200/);
    expect(asked).not.toMatch(/\/v1\/subscriptions\?.*created/);
    // Without this, Stripe does not list cancelled ones.
    expect(asked).toMatch(/\/v1\/subscriptions\?.*status=all/);
  });

  test('a sync never sends the API key to another server', async () => {
    const other = await providerApi(() => ({ json: {} }));
    const api = await apiOf('paddle', ({ pathname }) =>
      pathname === '/customers'
        ? {
            json: {
              data: [],
              meta: { pagination: { has_more: true, next: `${other.base}/customers?after=1`, estimated_total: 1 } },
            },
          }
        : undefined,
    );
    const shop = await shopWith(OPEN.paddle(api));
    expect(await shop.run()).toMatchObject({ ok: false, code: 'provider_silent' });
    expect(other.asked).toEqual([]);
  });
});
