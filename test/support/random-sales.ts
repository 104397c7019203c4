import fc from 'fast-check';
import type { OrderFacts, RefundFacts, SaleEvent, SubscriptionFacts } from '../../domain/sales/sale-event.ts';
import { at, buyer, order, refund, subscription } from './sale-events.ts';

/* Random events of two payments and a subscription, with facts as another system may report them. */

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('', ' ', '\u202e', 'Shipping'));
/** Usually a normal value, and occasionally an unexpected one. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });
const cents = mostly(
  fc.integer({ min: -1000, max: 5000 }),
  fc.constantFrom(0, 0.5, Number.NaN, 1_000_000_000_000, 1_000_000_001, Number.MAX_SAFE_INTEGER, -1e15),
);
const quantity = mostly(fc.nat(9), fc.constantFrom(-1, 1.5, 1_000_000, 1_000_001, 1_000_000_000));
const moment = mostly(
  fc.nat(50).map(at),
  fc.constantFrom('0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2027-01-20T10:00:00.000Z'),
);
const link = fc.constantFrom(
  'https://pay.example.com/1',
  'http://pay.example.com/1',
  'javascript:alert(1)',
  'https://',
);
const price = fc.constantFrom('p-timer', 'p-notes', 'p-apps', 'p-renewal', 'p-x');
const named = fc.oneof(
  price.map((one) => ({ price: one })),
  fc.constantFrom('timer', 'nothing').map((product) => ({ product })),
);
const line = fc
  .tuple(
    fc.oneof(named, fc.constant({})),
    fc.record({ text: fc.option(words, { nil: undefined }), quantity, total_cents: cents, discount_cents: cents }),
  )
  .map(([thing, facts]) => ({ ...thing, ...facts }));
const reference = fc.constantFrom('pay-1', 'pay-9');
const currency = mostly(fc.constantFrom('USD', 'KRW', 'KWD'), fc.constantFrom('usd', 'QQQ'));
const someone = words.map((name) => ({ ...buyer, name }));

const orders = fc.record<Partial<OrderFacts>>(
  {
    reference,
    buyer: someone,
    status: fc.constantFrom('pending', 'paid', 'cancelled'),
    ordered_at: moment,
    paid_at: maybe(moment),
    currency,
    payment_method: words,
    total_cents: cents,
    vat_cents: maybe(cents),
    receipt_url: maybe(link),
    test: fc.boolean(),
    subscription: maybe(fc.record({ reference: fc.constant('sub-1'), begins: fc.boolean() })),
    lines: fc.array(line, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

const subscriptions = fc.record<Partial<SubscriptionFacts>>(
  {
    buyer: someone,
    status: fc.constantFrom('trialing', 'active', 'past_due', 'unpaid', 'paused', 'cancelled', 'expired'),
    starts_at: moment,
    ends_at: maybe(moment),
    due_since: maybe(moment),
    cancelled_at: maybe(moment),
    trial_ends_at: maybe(moment),
    next_charge_at: maybe(moment),
    renewal_amount_cents: maybe(cents),
    renewal_currency: maybe(currency),
    update_payment_method_url: maybe(link),
    things: fc.array(
      fc.tuple(named, maybe(quantity)).map(([thing, units]) => ({ ...thing, quantity: units })),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

const refunds = fc.record<Partial<RefundFacts>>(
  {
    reference: fc.constantFrom('refund-1', 'refund-2', 'dispute-1'),
    order_reference: reference,
    refunded_at: moment,
    amount_cents: maybe(cents),
    things: maybe(fc.array(named, { maxLength: 2 })),
    cause: fc.constantFrom('refund', 'chargeback'),
    ends_access: fc.boolean(),
  },
  { requiredKeys: [] },
);

const minute = fc.integer({ min: 1, max: 9 });

export const aSaleEvent: fc.Arbitrary<SaleEvent> = fc.oneof(
  fc.tuple(orders, minute).map(([facts, n]) => order(facts, n)),
  fc.tuple(subscriptions, minute).map(([facts, n]) => subscription(facts, n)),
  fc.tuple(refunds, minute).map(([facts, n]) => refund(facts, n)),
);
