import type { Price, Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Buyer, OrderFacts, RefundFacts, SaleEvent, SubscriptionFacts } from './sale-event.ts';

/** Facts as they stood at a moment. The buyer is left out: the account has the address. */
export type AsOf<F> = { readonly facts: F; readonly at: Instant };

export type KeptOrder = Omit<OrderFacts, 'buyer'>;
export type KeptSubscription = Omit<SubscriptionFacts, 'buyer'>;

/** What a line stands for: its products, and the terms of its price as they were when the sale told of it. */
export type Sold = {
  readonly products: readonly Pick<Product, 'id' | 'name'>[];
  readonly terms: Omit<Price, 'provider' | 'id'>;
};

/** A payment as its events tell it, whatever their order: the newest facts, and its refunds by their references. */
export type OrderSale = {
  /** Null until the order itself is known: its refund may come first. */
  readonly order: AsOf<KeptOrder> | null;
  /** What each line of the newest facts stands for. */
  readonly sold: readonly Sold[];
  readonly refunds: readonly AsOf<RefundFacts>[];
  /** The account and the order that were made for it; null until they are. The number never changes. */
  readonly made: { readonly account_id: number; readonly order_id: number; readonly number: string } | null;
  /** The ids of its entitlements, by the number of the line and the product, such as `1#4`. */
  readonly entitlements: Readonly<Record<string, number>>;
};

/** A subscription as its events tell it. */
export type SubscriptionSale = {
  /** Null until the subscription itself is known: the payment that begins it may come first. */
  readonly subscription: AsOf<KeptSubscription> | null;
  readonly sold: readonly Sold[];
  /** The reference of the payment that began it. */
  readonly begun_by: string | null;
  readonly made: { readonly account_id: number; readonly subscription_id: number } | null;
};

export const NO_ORDER: OrderSale = { order: null, sold: [], refunds: [], made: null, entitlements: {} };
export const NO_SUBSCRIPTION: SubscriptionSale = { subscription: null, sold: [], begun_by: null, made: null };

/**
 * The newer of two states of the same facts. Of two states of one moment, the one whose text is greater counts, so that
 * the order of deliveries has no say.
 */
const newer = <F>(before: AsOf<F> | null | undefined, after: AsOf<F>): AsOf<F> => {
  if (!before || before.at < after.at) return after;
  if (before.at > after.at) return before;
  return JSON.stringify(after.facts) > JSON.stringify(before.facts) ? after : before;
};

const withoutBuyer = <F extends { readonly buyer: Buyer }>({ buyer: _, ...facts }: F): Omit<F, 'buyer'> => facts;

const refundOrder = (a: AsOf<RefundFacts>, b: AsOf<RefundFacts>): number =>
  `${a.facts.refunded_at} ${a.facts.reference}` < `${b.facts.refunded_at} ${b.facts.reference}` ? -1 : 1;

/** The payment once the event is known. Events that are known already, and older ones, change nothing. */
export const orderAfter = (sale: OrderSale, { facts, happened_at: at }: SaleEvent): OrderSale => {
  if (facts.kind === 'order') {
    const order = newer(sale.order, { facts: withoutBuyer(facts), at });
    return isSameJson(order, sale.order) ? sale : { ...sale, order };
  }
  if (facts.kind !== 'refund') return sale;
  const before = sale.refunds.find((one) => one.facts.reference === facts.reference);
  const refund = newer(before, { facts, at });
  if (isSameJson(refund, before)) return sale;
  return { ...sale, refunds: [...sale.refunds.filter((one) => one !== before), refund].sort(refundOrder) };
};

/** The subscription once the event is known: its own facts, or the payment that began it. */
export const subscriptionAfter = (sale: SubscriptionSale, { facts, happened_at: at }: SaleEvent): SubscriptionSale => {
  if (facts.kind === 'subscription') {
    const subscription = newer(sale.subscription, { facts: withoutBuyer(facts), at });
    return isSameJson(subscription, sale.subscription) ? sale : { ...sale, subscription };
  }
  if (facts.kind !== 'order' || !facts.subscription?.begins) return sale;
  // A subscription is begun once; of two payments that claim it, the lesser reference counts.
  const { begun_by } = sale;
  return begun_by !== null && begun_by <= facts.reference ? sale : { ...sale, begun_by: facts.reference };
};

/** The payment without the link to its receipt, a page that usually names the buyer. */
export const erasedOrderSale = (sale: OrderSale): OrderSale =>
  sale.order ? { ...sale, order: { ...sale.order, facts: { ...sale.order.facts, receipt_url: null } } } : sale;

/** The subscription without the link to its buyer's page of payment methods. */
export const erasedSubscriptionSale = (sale: SubscriptionSale): SubscriptionSale => {
  const { subscription } = sale;
  if (!subscription) return sale;
  return {
    ...sale,
    subscription: { ...subscription, facts: { ...subscription.facts, update_payment_method_url: null } },
  };
};
