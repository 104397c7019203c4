import type { Price, Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Buyer, OrderFacts, Period, RefundFacts, SaleEvent, SubscriptionFacts } from './sale-event.ts';

/** Facts as of a time, without the buyer, whose address is in the account. */
export type AsOf<F> = { readonly facts: F; readonly at: Instant };

export type KeptOrder = Omit<OrderFacts, 'buyer'>;
export type KeptSubscription = Omit<SubscriptionFacts, 'buyer'>;

/** The products of a line, and the terms of its price at the time of the sale. */
export type Sold = {
  readonly products: readonly Pick<Product, 'id' | 'name'>[];
  readonly terms: Omit<Price, 'provider' | 'id'>;
};

/** A payment according to its events, in any order: the newest facts, and its refunds by reference. */
export type OrderSale = {
  /** Null until the order itself is known: its refund may arrive first. */
  readonly order: AsOf<KeptOrder> | null;
  /** The products of each line of the newest facts. */
  readonly sold: readonly Sold[];
  readonly refunds: readonly AsOf<RefundFacts>[];
  /** The account and order created for it; null before that. The number never changes. */
  readonly made: { readonly account_id: number; readonly order_id: number; readonly number: string } | null;
  /** The ids of its entitlements, by the number of the line and the product, such as `1#4`. */
  readonly entitlements: Readonly<Record<string, number>>;
};

/** A payment that may have started a subscription. `begins` comes from the provider. */
type FirstPayment = { readonly reference: string; readonly ordered_at: Instant; readonly begins: boolean };

/** A subscription according to its events. */
export type SubscriptionSale = {
  /** Null until the subscription itself is known: its first payment may arrive first. */
  readonly subscription: AsOf<KeptSubscription> | null;
  readonly sold: readonly Sold[];
  /** The reference of its first payment above zero; before that, of the zero payment that starts it. */
  readonly begun_by: string | null;
  /** The zero payment that starts it, such as a trial's, and its first payment above zero; absent in older sales. */
  readonly first?: { readonly free: string | null; readonly paid: FirstPayment | null } | undefined;
  /** The latest paid period; absent if no payment included its period. */
  readonly paid_period?: Period | undefined;
  readonly made: { readonly account_id: number; readonly subscription_id: number } | null;
};

/** True if a report of a payment is the one that is known, at whatever time of its day. */
export const isSameOrder = (known: KeptOrder, { buyer: _, ...facts }: OrderFacts): boolean => {
  const { ordered_at, paid_at } = known;
  const isOfDay = ordered_at.slice(0, 10) === facts.ordered_at.slice(0, 10);
  return isOfDay && isSameJson(known, { ...facts, ordered_at, paid_at });
};

export const NO_ORDER: OrderSale = { order: null, sold: [], refunds: [], made: null, entitlements: {} };
export const NO_SUBSCRIPTION: SubscriptionSale = { subscription: null, sold: [], begun_by: null, made: null };

/** The states of a sale in logical order. Of two with the same time, the later one in this list counts. */
const RANKS = ['pending', 'trialing', 'active', 'paid', 'past_due', 'unpaid', 'paused', 'cancelled', 'expired'];

/** The rank of a state. A failed refund ranks above a successful one. */
const rankOf = (facts: { readonly status?: string; readonly amount_cents?: number | null }): number =>
  facts.status === undefined ? Number(facts.amount_cents === 0) : RANKS.indexOf(facts.status);

/** A paid or cancelled order no longer awaits a payment, whatever the event times are. */
const isSettled = ({ status }: { readonly status?: string }): boolean => status !== 'pending';

/**
 * Returns the state that counts, in whatever order the two arrive: a settled one over a pending one, then the newer
 * one, then the higher rank. Equal ranks are ordered by their text.
 */
const newer = <F extends object>(before: AsOf<F> | null | undefined, after: AsOf<F>): AsOf<F> => {
  if (!before) return after;
  const order = ({ facts, at }: AsOf<F>) => [isSettled(facts), at, rankOf(facts), JSON.stringify(facts)] as const;
  const [a, b] = [order(before), order(after)];
  const n = a.findIndex((value, i) => value !== b[i]);
  return n >= 0 && (b[n] as string) > (a[n] as string) ? after : before;
};

/** The times that are known only from events, not from the provider's list. */
const EVENT_MOMENTS = ['paid_at', 'cancelled_at'];

/** The state after a provider's list is read: times known from events stay, and an equal state is not newer. */
const newerOfList = <F extends object>(before: AsOf<F> | null | undefined, after: AsOf<F>): AsOf<F> => {
  const moments = Object.entries(before?.facts ?? {}).filter(([name, value]) => EVENT_MOMENTS.includes(name) && value);
  const lists = new Map<string, unknown>(Object.entries(after.facts));
  const facts = { ...after.facts, ...Object.fromEntries(moments.filter(([name]) => lists.get(name))) };
  return before && isSameJson(facts, before.facts) ? before : newer(before, { facts, at: after.at });
};

const withoutBuyer = <F extends { readonly buyer: Buyer }>({ buyer: _, ...facts }: F): Omit<F, 'buyer'> => facts;

const refundOrder = (a: AsOf<RefundFacts>, b: AsOf<RefundFacts>): number =>
  `${a.facts.refunded_at} ${a.facts.reference}` < `${b.facts.refunded_at} ${b.facts.reference}` ? -1 : 1;

/** The payment after an event. Known and older events change nothing. */
export const orderAfter = (sale: OrderSale, { facts, happened_at: at, listed, recorded }: SaleEvent): OrderSale => {
  const latest = listed ? newerOfList : newer;
  if (facts.kind === 'order') {
    const paid_at = (recorded && facts.paid_at && sale.order?.facts.paid_at) || facts.paid_at;
    const order = latest(sale.order, { facts: { ...withoutBuyer(facts), paid_at }, at });
    return isSameJson(order, sale.order) ? sale : { ...sale, order };
  }
  if (facts.kind !== 'refund') return sale;
  const before = sale.refunds.find((one) => one.facts.reference === facts.reference);
  const refund = latest(before, { facts, at });
  if (isSameJson(refund, before)) return sale;
  return { ...sale, refunds: [...sale.refunds.filter((one) => one !== before), refund].sort(refundOrder) };
};

/** The earlier payment. The one that starts the subscription, according to the provider, comes first. */
const first = (a: FirstPayment, b: FirstPayment): FirstPayment => {
  const name = ({ begins, ordered_at, reference }: FirstPayment) => `${begins ? 0 : 1} ${ordered_at} ${reference}`;
  return name(a) <= name(b) ? a : b;
};

/** The first payments of a subscription. Older sales stored only the one that the provider marked as the first. */
const firstOf = ({ first: known, begun_by }: SubscriptionSale): NonNullable<SubscriptionSale['first']> =>
  known ?? { free: null, paid: begun_by === null ? null : { reference: begun_by, ordered_at: '', begins: true } };

/**
 * True if `begun_by` started the subscription: the provider says so, or it is the first one after a zero payment. It is
 * a renewal if the shop's webhook was set up later.
 */
export const knowsBeginning = (sale: SubscriptionSale): boolean => {
  const { free, paid } = firstOf(sale);
  return free !== null || paid === null || paid.begins;
};

/** The subscription once one of its payments is known. */
const withPayment = (sale: SubscriptionSale, facts: OrderFacts): SubscriptionSale => {
  const { reference, ordered_at, total_cents, subscription } = facts;
  if (!subscription || facts.status !== 'paid') return sale;
  const { begins, period } = subscription;
  const known = firstOf(sale);
  const own = { reference, ordered_at, begins };
  const isFree = total_cents === 0;
  const free = isFree && begins && reference < (known.free ?? `${reference} `) ? reference : known.free;
  const paid = isFree ? known.paid : known.paid ? first(known.paid, own) : own;
  const isLatest = period && period.starts_at > (sale.paid_period?.starts_at ?? '');
  return {
    ...sale,
    begun_by: paid?.reference ?? free,
    first: { free, paid },
    ...(isLatest && { paid_period: period }),
  };
};

/** The subscription after an event about itself or one of its payments. */
export const subscriptionAfter = (
  sale: SubscriptionSale,
  { facts, happened_at: at, listed }: SaleEvent,
): SubscriptionSale => {
  if (facts.kind === 'order') {
    const after = withPayment(sale, facts);
    return isSameJson(after, sale) ? sale : after;
  }
  if (facts.kind !== 'subscription') return sale;
  const subscription = (listed ? newerOfList : newer)(sale.subscription, { facts: withoutBuyer(facts), at });
  return isSameJson(subscription, sale.subscription) ? sale : { ...sale, subscription };
};

/**
 * The payment without the buyer's details, the pages that usually name the buyer, and the texts of lines, which may.
 */
export const erasedOrderSale = (sale: OrderSale): OrderSale => {
  if (!sale.order) return sale;
  const { billing: _billing, ...facts } = sale.order.facts;
  const invoice = facts.invoice && { invoice: { ...facts.invoice, url: null } };
  const lines = facts.lines.map(({ text: _, ...line }) => line);
  return { ...sale, order: { ...sale.order, facts: { ...facts, ...invoice, receipt_url: null, lines } } };
};

/** The subscription without the link to the buyer's payment method page. */
export const erasedSubscriptionSale = (sale: SubscriptionSale): SubscriptionSale => {
  const { subscription } = sale;
  if (!subscription) return sale;
  return {
    ...sale,
    subscription: { ...subscription, facts: { ...subscription.facts, update_payment_method_url: null } },
  };
};
