import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { StoredPaymentEvents } from '../../../adapters/store/payment-events.ts';
import { askProviders } from '../../../application/sales/ask-providers.ts';
import { listEvents, MOST_REPLAYED, replayEvents } from '../../../application/sales/payment-events.ts';
import { receiveEvent } from '../../../application/sales/receive-event.ts';
import type { RecordSale } from '../../../application/sales/record-sale.ts';
import { settleEvent } from '../../../application/sales/settle-event.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { PaymentEvent } from '../../../domain/sales/payment-event.ts';
import type { SaleEvent } from '../../../domain/sales/sale-event.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import type { PaymentEvents } from '../../../ports/outbound/sales.ts';
import { noWebhooks } from '../../support/audited.ts';
import { done } from '../../support/outcomes.ts';
import {
  paddleCustomer,
  paddleEvent,
  paddleTransaction,
  SIGNERS,
  type Signer,
  shopEvent,
  shopOrder,
  stripeEvent,
  stripeInvoice,
  stripeRefund,
  stripeSession,
  stripeSubscription,
} from '../../support/payment-bodies.ts';

const PERMIT = grantPermit();

/** Refuses in the same cases as the recording of sales. */
const refusalOf = ({ facts }: SaleEvent, prices: ReadonlySet<string>) => {
  if (facts.kind === 'refund') return undefined;
  if (facts.buyer.email === '') return refuse('email_invalid', { message: 'The buyer has no email address.' });
  if (facts.kind !== 'order') return undefined;
  if (facts.currency === 'QQQ') return refuse('currency_unknown', { message: 'There is no currency QQQ.' });
  const price = facts.lines.find((line) => line.price !== undefined && !prices.has(line.price));
  return price && refuse('product_not_found', { message: 'The store document maps no such price.' });
};

/** The store with failing calls where `fails` says so; the answer of a call may be lost after its work. */
const failing = (store: StoredPaymentEvents): PaymentEvents =>
  new Proxy(store, {
    get: (_, name: keyof StoredPaymentEvents) => {
      if (name === 'list') return () => store.list();
      if (name === 'opens') return store.opens.bind(store);
      return async (...given: never[]) => {
        const when = fails();
        if (when === 'before') throw new Error('The store does not answer.');
        const value = await (store[name] as (...all: never[]) => Promise<unknown>).apply(store, given);
        if (when === 'after') throw new Error('The answer of the store was lost.');
        return value;
      };
    },
  });

let recorded: SaleEvent[];
let prices: Set<string>;
let fault: Error | undefined;
/** Decides for each call of the store whether it fails, before or after its work. */
let fails: () => 'before' | 'after' | false;
let events: StoredPaymentEvents;
let receive: ReturnType<typeof receiveEvent>;
let replay: ReturnType<typeof replayEvents>;
let list: ReturnType<typeof listEvents>;
let ask: () => Promise<number>;

beforeEach(() => {
  recorded = [];
  prices = new Set(['price_monthly', 'pri_1']);
  fault = undefined;
  fails = () => false;
  const recordSale: RecordSale = async (_permit, event) => {
    if (fault) throw fault;
    const refused = refusalOf(event, prices);
    if (refused) return refused;
    recorded.push(event);
    return ok({ result: 'recorded', account_id: 7, order_id: null, subscription_id: null, reason: null });
  };
  const clock = { now: () => new Date().toISOString() };
  events = new StoredPaymentEvents({ table: new MemoryTable(), clock, webhookWrites: noWebhooks });
  const paymentEvents = failing(events);
  const settle = settleEvent({ paymentEvents, recordSale });
  const providers = new Map<string, Signer>(Object.entries(SIGNERS));
  const paymentProviders = async (name: string) => {
    const signer = providers.get(name);
    return signer?.open([signer.secret]);
  };
  const ports = { clock, paymentEvents, paymentProviders, settleEvent: settle };
  receive = receiveEvent(ports);
  replay = replayEvents(ports);
  list = listEvents(ports);
  ask = () => askProviders(ports)(PERMIT);
});

/** Delivers an event, signed now. Returns the state in the answer, or the code of the refusal. */
const deliver = async (name: keyof typeof SIGNERS, event: object): Promise<string> => {
  const body = JSON.stringify(event);
  const id = (event as { id?: string }).id ?? `msg_${body.length}`;
  const headers = SIGNERS[name].sign(body, Date.now(), undefined, id);
  const received = await receive({ provider: name, raw: Buffer.from(body), headers });
  if (typeof received !== 'function') return received.code;
  return (await received({ permit: PERMIT, access: undefined })).value.state;
};

const references = () => recorded.map(({ facts }) => facts.reference);

const kept = async (): Promise<Pick<PaymentEvent, 'state' | 'reason'>[]> =>
  (await list({ only: null, limit: 100 })).map(({ state, reason }) => ({ state, reason }));

describe('an event of a payment provider', () => {
  test('an event is recorded once, however often it arrives, even four times at once', async () => {
    const event = stripeEvent('checkout.session.completed', stripeSession());
    const states = await Promise.all(Array.from({ length: 4 }, () => deliver('stripe', event)));
    expect(states).toEqual(['done', 'done', 'done', 'done']);
    const before = recorded.length;
    expect(await deliver('stripe', event)).toBe('done');
    expect(recorded).toHaveLength(before);
    expect(new Set(references())).toEqual(new Set(['pi_1']));
    expect(await kept()).toEqual([{ state: 'done', reason: null }]);
  });

  test('an event of an unconfigured provider is not found, and a wrong signature leaves nothing behind', async () => {
    const body = Buffer.from(JSON.stringify(stripeEvent('invoice.paid', stripeInvoice())));
    const headers = SIGNERS.stripe.sign(body.toString(), Date.now(), 'whsec_wrong');
    expect(await receive({ provider: 'stripe', raw: body, headers })).toMatchObject({
      code: 'webhook_signature_invalid',
    });
    expect(await receive({ provider: 'constructor', raw: body, headers })).toMatchObject({ code: 'not_found' });
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['checkout.session.completed', stripeSession],
    ['invoice.paid', stripeInvoice],
  ])('a payment of Stripe’s test mode, told by %s, is a test, and a live one is none', async (type, object) => {
    for (const livemode of [false, true]) {
      expect(await deliver('stripe', stripeEvent(type, object({ livemode }), { livemode }))).toBe('done');
    }
    const orders = recorded.flatMap(({ facts }) => (facts.kind === 'order' ? [facts] : []));
    expect(orders.map(({ test = false }) => test)).toEqual([true, false]);
  });

  test('an event that concerns no sale is ignored', async () => {
    expect(await deliver('stripe', stripeEvent('product.created', {}))).toBe('ignored');
    expect(recorded).toEqual([]);
  });

  test.each([
    [
      'a foreign price',
      'paddle' as const,
      paddleEvent('transaction.completed', paddleTransaction()),
      'maps no such price',
    ],
    ['an unknown currency', 'shop' as const, shopEvent('order', shopOrder({ currency: 'qqq' })), 'no currency QQQ'],
    [
      'a buyer without an address',
      'stripe' as const,
      stripeEvent('checkout.session.completed', stripeSession({ customer_details: null })),
      'no email address',
    ],
    [
      'data that are not as documented',
      'stripe' as const,
      stripeEvent('invoice.paid', { id: 'in_1' }),
      'not as documented',
    ],
  ])('an event with %s is accepted and stored as refused, with the reason', async (_, name, event, sentence) => {
    prices.clear();
    await deliver('paddle', paddleEvent('customer.created', paddleCustomer()));
    expect(await deliver(name, event)).toBe('refused');
    expect(await list({ only: 'refused', limit: 100 })).toEqual([
      expect.objectContaining({ provider: name, state: 'refused', reason: expect.stringContaining(sentence) }),
    ]);
    expect(recorded).toEqual([]);
  });

  test('an event that meets an error is not stored, so the provider delivers it again', async () => {
    const event = stripeEvent('checkout.session.completed', stripeSession());
    fault = new Error('The store does not answer.');
    await expect(deliver('stripe', event)).rejects.toThrow(fault.message);
    expect(await kept()).toEqual([]);
    fault = undefined;
    expect(await deliver('stripe', event)).toBe('done');
  });
});

describe('an event that names a customer or a payment', () => {
  const subscription = () => stripeEvent('customer.subscription.created', stripeSubscription());
  const invoice = () => stripeEvent('invoice.paid', stripeInvoice());
  const payment = () =>
    stripeEvent('invoice_payment.paid', {
      invoice: 'in_1',
      payment: { type: 'payment_intent', payment_intent: 'pi_1' },
    });
  const refund = () => stripeEvent('refund.created', stripeRefund());

  test('the event is recorded in any order of deliveries, with the order of its payment', async () => {
    const orders = [
      [refund(), subscription(), payment(), invoice()],
      [subscription(), refund(), invoice(), payment()],
      [invoice(), payment(), refund(), subscription()],
    ];
    for (const [n, order] of orders.entries()) {
      recorded = [];
      for (const event of order) await deliver('stripe', event);
      expect(references().toSorted()).toEqual(['in_1', 're_1', 'sub_1']);
      expect(recorded.find(({ facts }) => facts.kind === 'refund')?.facts).toMatchObject({ order_reference: 'in_1' });
      expect((await kept()).every(({ state }) => state === 'done' || state === 'ignored')).toBe(true);
      if (n === 0) expect(await kept()).toHaveLength(4);
    }
  });

  test('the event is recorded once all events were delivered, in any order, simultaneously and despite store failures', async () => {
    const order = fc.shuffledSubarray(['refund', 'subscription', 'payment', 'invoice', 'customer'] as const, {
      minLength: 5,
    });
    const failures = fc.array(fc.constantFrom('before' as const, 'after' as const, false as const), { maxLength: 40 });
    const customer = () => stripeEvent('customer.updated', { id: 'cus_1', email: 'ada@example.com', name: 'Ada' });
    const makers = { refund, subscription, payment, invoice, customer };
    let run = 0;
    const delivered = async (event: object): Promise<unknown> => {
      for (;;) {
        try {
          return await deliver('stripe', event);
        } catch {
          // The provider delivers it again.
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(order, failures, fc.boolean(), async (names, planned, atOnce) => {
        run += 1;
        recorded = [];
        const left = [...planned];
        fails = () => left.shift() ?? false;
        // Each run has its own customers, payments and orders.
        const own = names.map((name) =>
          JSON.parse(JSON.stringify(makers[name]()).replace(/"(cus|pi|in|sub|re)_1"/g, `"$1_1_${run}"`)),
        );
        if (atOnce) await Promise.all(own.map(delivered));
        else for (const event of own) await delivered(event);
        expect(new Set(references())).toEqual(new Set([`in_1_${run}`, `re_1_${run}`, `sub_1_${run}`]));
        for (const { id } of own) {
          expect(['done', 'ignored']).toContain((await events.find({ provider: 'stripe', id }))?.state);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the event waits with a reason until the missing event arrives, and is then recorded automatically', async () => {
    expect(await deliver('paddle', paddleEvent('transaction.completed', paddleTransaction()))).toBe('waiting');
    expect(await kept()).toEqual([{ state: 'waiting', reason: 'No event has told about ctm_1 yet.' }]);
    expect(await list({ only: 'refused', limit: 100 })).toEqual([]);
    await deliver('paddle', paddleEvent('customer.created', paddleCustomer()));
    expect(references()).toEqual(['txn_1']);
    expect(await events.name('paddle', 'ctm_1')).toMatchObject({ account_id: 7, waiting: [] });
  });

  test('the event is recorded when the missing event arrives again after an error', async () => {
    await deliver('paddle', paddleEvent('transaction.completed', paddleTransaction()));
    const customer = paddleEvent('customer.created', paddleCustomer());
    fault = new Error('The store does not answer.');
    await expect(deliver('paddle', customer)).rejects.toThrow(fault.message);
    fault = undefined;
    await deliver('paddle', customer);
    expect(references()).toEqual(['txn_1']);
    expect((await kept()).map(({ state }) => state).toSorted()).toEqual(['done', 'ignored']);
  });
});

describe('a replay of events', () => {
  test('a replay of all refused events records those whose cause was fixed', async () => {
    prices.clear();
    await deliver('stripe', stripeEvent('invoice.paid', stripeInvoice()));
    await deliver('shop', shopEvent('order', shopOrder({ currency: 'qqq' })));
    prices.add('price_monthly');
    const replayed = await replay(PERMIT, { refused: true });
    // Events of the same millisecond run in an unspecified order.
    expect(replayed.ok && replayed.value.data.map(({ provider, state }) => `${provider} ${state}`).toSorted()).toEqual([
      'shop refused',
      'stripe done',
    ]);
    expect(replayed.ok && replayed.value.data.map(({ buyer }) => buyer).toSorted()).toEqual([
      'ada@example.com',
      undefined,
    ]);
    expect(references()).toEqual(['in_1']);
  });

  test('a replay of one event runs it whatever its result was, and an unknown id is refused', async () => {
    const event = stripeEvent('invoice.paid', stripeInvoice());
    await deliver('stripe', event);
    await replay(PERMIT, { id: (event as { id: string }).id });
    expect(references()).toEqual(['in_1', 'in_1']);
    expect(await replay(PERMIT, { id: 'evt_none' })).toMatchObject({ ok: false, code: 'event_not_found' });
  });

  test('a replay of many refused events continues after the last one and runs each once', async () => {
    for (let n = 0; n < MOST_REPLAYED + 5; n += 1) {
      await deliver('shop', { ...shopEvent('order', shopOrder({ currency: 'qqq' })), id: `evt_${n}` });
    }
    const first = done(await replay(PERMIT, { refused: true }));
    const rest = done(await replay(PERMIT, { refused: true, after: first.next_after }));
    expect([first.data.length, rest.data.length, rest.next_after]).toEqual([MOST_REPLAYED, 5, null]);
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(MOST_REPLAYED + 5);
  });

  test('a replay of refused events reads only open events, each once, however many pages there are', async () => {
    for (let n = 0; n < 3 * MOST_REPLAYED; n += 1) {
      await deliver('shop', { ...shopEvent('order', shopOrder({ currency: 'qqq' })), id: `evt_${n}` });
    }
    await deliver('stripe', stripeEvent('invoice.paid', stripeInvoice()));
    let reads = 0;
    const find = events.find.bind(events);
    events.find = (name) => {
      reads += 1;
      return find(name);
    };
    events.list = () => expect.fail('Every stored event was read.');
    let after: string | null = null;
    do after = done(await replay(PERMIT, { refused: true, after })).next_after;
    while (after !== null);
    // Each page reads at most one batch more than it replays.
    expect(reads).toBeLessThanOrEqual(3 * 2 * MOST_REPLAYED);
  });

  test('a replay of one kind of reason is left to the worker, which runs each event once', async () => {
    prices.clear();
    await deliver('stripe', stripeEvent('invoice.paid', stripeInvoice()));
    await deliver('shop', shopEvent('order', shopOrder({ currency: 'qqq' })));
    prices.add('price_monthly');
    const input = { refused: true, fault: 'product_not_found', queue: true } as const;
    expect(done(await replay(PERMIT, input)).data).toMatchObject([{ provider: 'stripe', queued: true }]);
    expect([await ask(), references(), await ask()]).toEqual([1, ['in_1'], 0]);
    const faults = (await list({ only: null, limit: 9 })).map(({ state, fault, queued }) => [state, fault, queued]);
    expect(faults).toEqual(
      expect.arrayContaining([
        ['done', undefined, undefined],
        ['refused', 'currency_unknown', undefined],
      ]),
    );
  });
});
