import type { Product } from '../catalog/product.ts';
import { type Outcome, ok } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';
import { type OrderSale, orderAfter, type SubscriptionSale, subscriptionAfter } from './sale.ts';
import type { SaleEvent } from './sale-event.ts';
import {
  entitlementNames,
  judgeSize,
  orderNumber,
  revisedRecords,
  type SaleRecords,
  saleRecordsOf,
  sellingOf,
  soldBefore,
} from './sale-records.ts';

/** The provider's references of a payment and of a subscription; null if there is none. */
export type SaleNames = { readonly order: string | null; readonly subscription: string | null };

export const namesOf = ({ facts }: SaleEvent): SaleNames => {
  if (facts.kind === 'order') return { order: facts.reference, subscription: facts.subscription?.reference ?? null };
  if (facts.kind === 'refund') return { order: facts.order_reference, subscription: null };
  return { order: null, subscription: facts.reference };
};

/** A payment and its subscription, as stored. */
export type KnownSale = {
  /** The references, including those that the sales themselves contain. */
  readonly names: SaleNames;
  readonly order: OrderSale;
  readonly subscription: SubscriptionSale;
  /** The payment that started the subscription, if it is a different one. */
  readonly beginning: OrderSale;
  readonly records: SaleRecords;
};

/** The account of a sale; undefined until its order or its subscription is created. */
export const accountOfSale = ({ order, subscription }: Pick<KnownSale, 'order' | 'subscription'>): number | undefined =>
  order.made?.account_id ?? subscription.made?.account_id;

/** A sale according to its events. `reason` tells the operator which sold things match no product. */
export type ToldSale = Pick<KnownSale, 'order' | 'subscription'> & { readonly reason: string | null };

/**
 * The sale after an event, with the products of its things. The terms are those at the time of the sale; a later price
 * list doesn't change it. The same objects are returned if the event reports nothing new.
 */
export const toldSale = (
  known: KnownSale,
  event: SaleEvent,
  products: readonly Product[],
): Outcome<ToldSale, 'product_not_found' | 'too_many_lines'> => {
  const { facts, provider } = event;
  let order = orderAfter(known.order, event);
  let subscription = subscriptionAfter(known.subscription, event);
  let reason: string | null = null;
  if (facts.kind !== 'refund') {
    const isKnown = order.order === known.order.order && subscription.subscription === known.subscription.subscription;
    const { sold: before } = facts.kind === 'order' ? order : subscription;
    const things = (facts.kind === 'order' ? order.order?.facts.lines : subscription.subscription?.facts.things) ?? [];
    const former = soldBefore(
      { things: known.order.order?.facts.lines, sold: known.order.sold },
      { things: known.subscription.subscription?.facts.things, sold: known.subscription.sold },
    );
    const selling = sellingOf(provider, things, products, isKnown ? before : [], former);
    if (!selling.ok) return selling;
    const { sold } = selling.value;
    ({ reason } = selling.value);
    if (facts.kind === 'order' && !isSameJson(sold, before)) order = { ...order, sold };
    if (facts.kind === 'subscription' && !isSameJson(sold, before)) subscription = { ...subscription, sold };
  }
  const outcome = ok({ order, subscription, reason });
  if (order === known.order && subscription === known.subscription) return outcome;
  const judged = judgeSize(order);
  return judged.ok ? outcome : judged;
};

/** The sale with the ids that its records need. Existing ids stay. */
const withIds = (sale: OrderSale, account_id: number, nextId: () => number): OrderSale => {
  if (!sale.order) return sale;
  const { facts } = sale.order;
  const order_id = sale.made?.order_id ?? nextId();
  const made = sale.made ?? { account_id, order_id, number: orderNumber(facts, order_id) };
  const unnamed = entitlementNames(facts, sale.sold).filter((name) => sale.entitlements[name] === undefined);
  const entitlements = { ...sale.entitlements, ...Object.fromEntries(unnamed.map((name) => [name, nextId()])) };
  return { ...sale, made, entitlements };
};

/** The sale that an event changed, with the records of its account. The account of a refund may be unknown. */
export const decidedSale = (
  known: KnownSale,
  { order: sold, subscription: subscribed }: ToldSale,
  { facts, provider, happened_at }: SaleEvent,
  account_id: number | undefined,
  nextId: () => number,
): Pick<KnownSale, 'order' | 'subscription' | 'records'> => {
  const isMaking = facts.kind !== 'refund' && account_id !== undefined;
  const order = isMaking ? withIds(sold, account_id, nextId) : sold;
  const isNew = isMaking && known.names.subscription !== null && !subscribed.made;
  const subscription = isNew ? { ...subscribed, made: { account_id, subscription_id: nextId() } } : subscribed;
  const beginning = (sale: SubscriptionSale, own: OrderSale): OrderSale =>
    sale.begun_by === known.names.order ? own : known.beginning;
  const before = saleRecordsOf(known.order, known.subscription, beginning(known.subscription, known.order));
  const now = saleRecordsOf(order, subscription, beginning(subscription, order));
  const records = revisedRecords(known.records, before, now, happened_at);
  const source = order.order && {
    provider,
    payment: order.order.facts.reference,
    subscription: order.order.facts.subscription?.reference ?? null,
  };
  const sourced = records.order && source ? { ...records, order: { ...records.order, source } } : records;
  return { order, subscription, records: sourced };
};
