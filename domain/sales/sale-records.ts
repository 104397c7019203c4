import {
  type Order,
  type OrderItem,
  OTHER_LINE,
  PAYMENT_METHOD,
  type Refund,
  UNPAID_STATUSES,
  withPaidMark,
} from '../billing/order.ts';
import { entitlementUnderRefund, subscriptionUnderRefund, withKeptRefunds } from '../billing/refund.ts';
import type { LicenseTerms, Price, Product } from '../catalog/product.ts';
import type { Entitlement } from '../licensing/entitlement.ts';
import { revokedEntitlement } from '../licensing/grant-change.ts';
import type { Subscription } from '../licensing/subscription.ts';
import { addDays, type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';
import {
  type AsOf,
  type KeptOrder,
  type KeptSubscription,
  knowsBeginning,
  type OrderSale,
  type Sold,
  type SubscriptionSale,
} from './sale.ts';
import type { Provider, RefundFacts, SoldLine, ThingName } from './sale-event.ts';

/** The maximum number of entitlements of an order: one transaction writes them all. */
const MOST_GRANTS = 20;

/** The maximum number of refunds and disputes of an order, not counting those by command. */
const MOST_REFUNDS = 200;

export type SaleRecords = {
  readonly order: Order | undefined;
  readonly entitlements: readonly Entitlement[];
  readonly subscription: Subscription | undefined;
};

const OWN_TERMS: Omit<Price, 'provider'> = {
  id: '',
  device_limit: null,
  access_days: null,
  updates_days: null,
  grace_days: 0,
  apps: null,
};

/** The result for a line that is not a product. */
const NOTHING: Sold = { products: [], terms: OWN_TERMS };

/** The maximum number of faults of a sale that are reported at once. */
const MOST_FAULTS = 3;

/** The products of a sold thing, by the prices and slugs of the catalog. */
const soldBy = (
  provider: Provider,
  thing: ThingName,
  products: Iterable<Product>,
): Outcome<Sold, 'product_not_found'> => {
  const found = [...products].flatMap((product) => {
    const prices = product.prices?.filter((one) => one.provider === provider) ?? [];
    const named = prices.filter(({ id }) => id === thing.price);
    if (thing.product === undefined) return named.map((terms) => ({ product, terms }));
    if (thing.product !== product.slug) return [];
    const own = named.length > 0 ? named : prices;
    return (own.length === 0 ? [OWN_TERMS] : own).map((terms) => ({ product, terms }));
  });
  const [first] = found;
  const isOpen = thing.product !== undefined && found.length > 1;
  if (first && !isOpen) {
    const { provider: _, id: __, ...terms } = { provider, ...first.terms };
    return ok({ products: found.map(({ product: { id, name } }) => ({ id, name })), terms });
  }
  const message = isOpen
    ? `Product ${thing.product} has several prices of ${provider}: ${found.map(({ terms }) => terms.id).join(', ')}; name the one that was sold, as ${provider === 'stripe' ? 'metadata.price of the Checkout session' : '"price" of the line'}.`
    : thing.product !== undefined
      ? `There is no product ${thing.product}; import it, or name another slug.`
      : `No product has the price ${thing.price} of ${provider}; name it in the product’s "prices" in the store document, and import that.`;
  return refuse('product_not_found', { message });
};

/** True if the names that both have agree, and there is one. */
const isSameThing = (a: ThingName, b: ThingName): boolean => {
  const shared = (['price', 'product'] as const).filter((name) => a[name] !== undefined && b[name] !== undefined);
  return shared.length > 0 && shared.every((name) => a[name] === b[name]);
};

const isSold = ({ products }: Sold): boolean => products.length > 0;

/** The products of a sale. `reason` tells the operator about unknown names. */
export type Selling = { readonly sold: readonly Sold[]; readonly reason: string | null };

/** The things of a sale, each with its products at the time of the sale. */
export const soldBefore = (
  ...sales: readonly { readonly things: readonly ThingName[] | undefined; readonly sold: readonly Sold[] }[]
): (ThingName & { readonly sold: Sold })[] =>
  sales.flatMap(({ things = [], sold }) =>
    things.flatMap(({ price, product }, n) => (sold[n] && isSold(sold[n]) ? [{ price, product, sold: sold[n] }] : [])),
  );

/**
 * The products of a sale. Things already resolved (`known`) stay as they were, because a later price list doesn't
 * change a sale; unresolved ones are looked up again. A thing that is no longer in the catalog, such as an old plan, is
 * resolved by `former`. Refused if nothing can be resolved.
 */
export const sellingOf = (
  provider: Provider,
  things: readonly ThingName[],
  products: readonly Product[],
  known: readonly Sold[],
  former: ReturnType<typeof soldBefore> = [],
): Outcome<Selling, 'product_not_found'> => {
  const faults = new Set<string>();
  const sold = things.map((thing, n): Sold => {
    const before = known[n];
    if (before && isSold(before)) return before;
    if (thing.price === undefined && thing.product === undefined) return NOTHING;
    const found = soldBy(provider, thing, products);
    const was = former.find((one) => isSameThing(one, thing));
    if (!found.ok && !was) faults.add(found.message ?? found.code);
    return found.ok ? found.value : (was?.sold ?? NOTHING);
  });
  const reason = faults.size === 0 ? null : [...faults].slice(0, MOST_FAULTS).join(' ');
  return reason === null || sold.some(isSold) ? ok({ sold, reason }) : refuse('product_not_found', { message: reason });
};

/**
 * Refuses an order with more entitlements than one transaction can write, or more refunds than the store document
 * allows.
 */
export const judgeSize = ({ order, sold, refunds }: OrderSale): Outcome<null, 'too_many_lines'> => {
  const name = `Order ${order?.facts.reference ?? refunds[0]?.facts.order_reference}`;
  const count = order?.facts.subscription ? 0 : sold.reduce((all, { products }) => all + products.length, 0);
  if (count > MOST_GRANTS) {
    const message = `${name} sells ${count} products; split it into orders of at most ${MOST_GRANTS}.`;
    return refuse('too_many_lines', { message });
  }
  return refunds.length <= MOST_REFUNDS
    ? ok(null)
    : refuse('too_many_lines', { message: `${name} has more than ${MOST_REFUNDS} refunds.` });
};

type Made = NonNullable<OrderSale['made']>;

const itemOf = (line: SoldLine, { products }: Sold, n: number): OrderItem => {
  const { total_cents, text = null } = line;
  const [named] = products;
  const product = line.quantity > 0 ? named : undefined;
  const price = total_cents + line.discount_cents;
  // A line without a product has a quantity if the quantity divides its price. Usage, such as 1000 calls for a dollar,
  // has none.
  const quantity = product || price % line.quantity === 0 ? line.quantity : 1;
  // The price of a unit is a whole number; the difference counts as a discount.
  const unit = Math.ceil(price / quantity);
  const subtotal_cents = unit * quantity;
  return {
    id: n + 1,
    product_id: product?.id ?? null,
    product_name: product?.name ?? (text === null ? (named?.name ?? OTHER_LINE) : { en: text }),
    list_unit_price_cents: unit,
    unit_price_cents: unit,
    quantity,
    subtotal_cents,
    discount_total_cents: subtotal_cents - total_cents,
    total_cents,
    first_used_at: null,
  };
};

/**
 * The refunds of an order. Named things lose their access. Otherwise the whole order is refunded once the amounts reach
 * its total; a smaller amount doesn't affect the access unless the provider says so. Disputes suspend all access until,
 * in sum, their money came back.
 */
const refundsOf = ({ refunds }: Pick<OrderSale, 'refunds'>, { lines, total_cents }: KeptOrder): Refund[] => {
  const moved = refunds.map(({ facts }) => ({ ...facts, amount: facts.amount_cents ?? total_cents }));
  const of = (only: RefundFacts['cause']) => moved.filter(({ cause }) => cause === only);
  const disputed = of('chargeback').reduce((all, { amount }) => all + amount, 0);
  const [dispute] = of('chargeback').filter(({ amount }) => amount > 0);
  let sum = 0;
  const returned = of('refund').flatMap(
    ({ things, amount, amount_cents, refunded_at, cause, ends_access }): Refund[] => {
      if (amount <= 0 && amount_cents !== null) return [];
      const item_ids =
        things && lines.flatMap((line, n) => (things.some((one) => isSameThing(one, line)) ? [n + 1] : []));
      sum += amount;
      const refund = { refunded_at, reason: cause, ...(amount_cents !== null && { amount_cents }) };
      if (item_ids && item_ids.length > 0) return [{ ...refund, item_ids, keeps_access: false }];
      if (sum >= total_cents) return [{ ...refund, item_ids: null, keeps_access: false }];
      return [
        ends_access
          ? { ...refund, item_ids: null, keeps_access: false, kind: 'part' }
          : { ...refund, item_ids: [], keeps_access: true },
      ];
    },
  );
  const refunded = returned.map(toldApart);
  if (!dispute || disputed <= 0) return refunded;
  const { refunded_at, cause } = dispute;
  const at = { refunded_at, reason: cause, amount_cents: Math.min(disputed, total_cents) };
  return [...refunded, { ...at, item_ids: null, keeps_access: false, kind: 'dispute' }];
};

/**
 * Identical refunds of the same time are put a millisecond apart, because an order identifies refunds by their content.
 */
const toldApart = (refund: Refund, n: number, all: readonly Refund[]): Refund => {
  const same = all.slice(0, n).filter((one) => isSameJson(one, refund)).length;
  return { ...refund, refunded_at: toInstant(millis(refund.refunded_at) + same) };
};

const isProduct = ({ product_id }: OrderItem): boolean => product_id !== null;

/** The number of an order, for its buyer. */
export const orderNumber = ({ ordered_at }: KeptOrder, id: number): string =>
  `${ordered_at.slice(0, 10).replaceAll('-', '')}-${id.toString(36).toUpperCase()}`;

/** The order of a sale, without its refunds. */
const orderOf = (facts: KeptOrder, sold: readonly Sold[], { account_id, order_id, number }: Made): Order => {
  const items = facts.lines.map((line, n) => itemOf(line, sold[n] as Sold, n));
  const sum = (of: (item: OrderItem) => number): number => items.reduce((all, item) => all + of(item), 0);
  const { vat_cents, total_cents } = facts;
  const paid_at = facts.status === 'paid' ? (facts.paid_at ?? facts.ordered_at) : null;
  return {
    id: order_id,
    account_id,
    number,
    status: facts.status,
    // Clocks differ, and no order is paid before it is placed.
    ordered_at: paid_at !== null && paid_at < facts.ordered_at ? paid_at : facts.ordered_at,
    paid_at,
    currency: facts.currency,
    payment_method: PAYMENT_METHOD.test(facts.payment_method) ? facts.payment_method : 'other',
    subtotal_cents: sum((item) => item.subtotal_cents),
    discount_total_cents: sum((item) => item.discount_total_cents),
    total_cents,
    supply_cents: vat_cents === null ? null : total_cents - vat_cents,
    vat_cents,
    receipt_url: facts.receipt_url,
    ...(facts.billing && { billing: facts.billing }),
    ...(facts.invoice && { invoice: facts.invoice }),
    ...(facts.vat_rate && { vat_rate: facts.vat_rate }),
    ...(facts.test && { test: true }),
    subscription_name: facts.subscription && (items.find(isProduct)?.product_name ?? null),
    items,
  };
};

/** The names under which a sale stores its entitlement ids: line and product. */
export const entitlementNames = (facts: KeptOrder, sold: readonly Sold[]): string[] =>
  facts.status === 'paid' && facts.subscription === null
    ? sold.flatMap(({ products }, n) => (facts.lines[n]?.quantity ? products.map(({ id }) => `${n + 1}#${id}`) : []))
    : [];

/** The license terms that the goods of a sale keep. */
const keptTerms = ({ edition, features, upgrades_from, requires }: LicenseTerms): LicenseTerms => ({
  ...(edition !== undefined && { edition }),
  ...(features && { features }),
  ...(upgrades_from && { upgrades_from }),
  ...(requires && { requires }),
});

/** The entitlements that a paid order gives. A payment of a subscription gives none: the subscription does. */
const entitlementsOf = (facts: KeptOrder, made: Made, { sold, entitlements }: OrderSale): Entitlement[] => {
  const granted_at = facts.paid_at ?? facts.ordered_at;
  const after = (days: number | null): Instant | null => (days === null ? null : addDays(granted_at, days));
  return entitlementNames(facts, sold).map((name) => {
    const [line, product_id] = name.split('#').map(Number) as [number, number];
    const { terms } = sold[line - 1] as Sold;
    return {
      id: entitlements[name] as number,
      account_id: made.account_id,
      product_id,
      source_product_id: null,
      order_id: made.order_id,
      order_item_id: line,
      grant_type: 'purchase',
      source_quantity: facts.lines[line - 1]?.quantity ?? 1,
      device_limit: terms.device_limit,
      granted_at,
      revoked_at: null,
      access_expires_at: after(terms.access_days),
      updates_supported_until: after(terms.updates_days),
      ...(terms.renewal && { renews: true }),
      ...keptTerms(terms),
    };
  });
};

/**
 * The end of access to a subscription, without grace: if the current period is unpaid, at the end of the last paid one.
 * A paused one runs until the end of what was paid.
 */
const paidUntil = (
  { status, ends_at, due_since = null }: KeptSubscription,
  paid: SubscriptionSale['paid_period'],
): Instant | null => {
  if (status === 'paused' && paid) return paid.ends_at;
  if (due_since === null) return ends_at;
  const until = paid && paid.starts_at >= due_since ? paid.ends_at : due_since;
  return ends_at !== null && ends_at < until ? ends_at : until;
};

/** The statuses in which a late payment is still expected. */
const AWAITING: readonly KeptSubscription['status'][] = ['trialing', 'active', 'past_due'];

/** A subscription that is no longer charged keeps a running status; its dates end it. */
const storedStatus = (status: KeptSubscription['status']): Subscription['status'] =>
  status === 'unpaid' ? 'past_due' : status === 'paused' ? 'active' : status;

/**
 * The units of each product. Usage, which has no quantity, adds nothing to the units of other things, and counts as one
 * by itself.
 */
const unitsOf = ({ things }: KeptSubscription, sold: readonly Sold[]): ReadonlyMap<number, number> => {
  const counted = things.flatMap(({ quantity = 1 }, n) =>
    (sold[n]?.products ?? []).map(({ id }) => ({ id, quantity })),
  );
  const sum = (all: typeof counted): number =>
    all.every(({ quantity }) => quantity === null)
      ? 1
      : all.reduce((units, { quantity }) => units + (quantity ?? 0), 0);
  return new Map([...Map.groupBy(counted, ({ id }) => id)].map(([id, all]) => [id, sum(all)]));
};

/** The subscription of a sale. `order` is the one that started it, if known. */
const subscriptionOf = (
  { facts, at }: AsOf<KeptSubscription>,
  { sold: all, paid_period }: SubscriptionSale,
  { account_id, subscription_id }: NonNullable<SubscriptionSale['made']>,
  order: Pick<Order, 'id' | 'number'> | null,
): Subscription => {
  const { cancelled_at } = facts;
  // An add-on beside a plan gives its features, and adds no units.
  const isAddOn = ({ terms }: Sold): boolean => terms.requires !== undefined;
  const sold = all.every((one) => isAddOn(one) || !isSold(one))
    ? all
    : all.map((one) => (isAddOn(one) ? NOTHING : one));
  const features = [...new Set(all.flatMap(({ terms }) => terms.features ?? []))];
  const status = storedStatus(facts.status);
  const isOver = status === 'cancelled' || status === 'expired' || cancelled_at !== null;
  const units = unitsOf(facts, sold);
  const present = [...units].filter(([, count]) => count > 0);
  // Without units it gives no access until it has units again.
  const isIdle = present.length === 0;
  const isAwaited = AWAITING.includes(facts.status) && !isOver;
  const until = isIdle ? at : (paidUntil(facts, paid_period) ?? (isAwaited ? null : at));
  const ends_at = status === 'expired' && until !== null && until > at ? at : until;
  const starts_at = ends_at !== null && ends_at < facts.starts_at ? ends_at : facts.starts_at;
  const trial = facts.trial_ends_at;
  const terms = sold.find(isSold)?.terms ?? OWN_TERMS;
  return {
    id: subscription_id,
    account_id,
    product_ids: isIdle ? [...units.keys()] : present.map(([id]) => id),
    ...(present.some(([, count]) => count !== 1) && { units: Object.fromEntries(present) }),
    status,
    starts_at,
    ends_at,
    cancelled_at: cancelled_at ?? (status === 'cancelled' ? at : null),
    grace_days: AWAITING.includes(facts.status) && !isIdle ? terms.grace_days : 0,
    device_limit: terms.device_limit,
    apps: terms.apps,
    ...keptTerms({ ...terms, features: features.length > 0 ? features : undefined }),
    billing: {
      order_id: order?.id ?? null,
      order_number: order?.number ?? null,
      payment_method_id: null,
      // A trial that was cut short ends with the subscription.
      trial_ends_at: trial === null || trial < starts_at ? null : ends_at !== null && trial > ends_at ? ends_at : trial,
      next_charge_at: isOver ? null : facts.next_charge_at,
      renewal_amount_cents: facts.renewal_currency === null ? null : facts.renewal_amount_cents,
      renewal_currency: facts.renewal_amount_cents === null ? null : facts.renewal_currency,
      krw_exchange: null,
      offer: null,
      update_payment_method_url: facts.update_payment_method_url,
      renewal_url: null,
    },
  };
};

/** The order of a payment, with its refunds applied. */
const madeOrder = (sale: OrderSale): Order | undefined =>
  sale.order && sale.made
    ? withKeptRefunds(
        { ...orderOf(sale.order.facts, sale.sold, sale.made), refunds: refundsOf(sale, sale.order.facts) },
        undefined,
      )
    : undefined;

/**
 * The records of a payment and its subscription, derived only from their facts. `beginning` started the subscription.
 */
export const saleRecordsOf = (sale: OrderSale, subscribed: SubscriptionSale, beginning: OrderSale): SaleRecords => {
  const order = madeOrder(sale);
  const granted = sale.order && sale.made ? entitlementsOf(sale.order.facts, sale.made, sale) : [];
  const begin = knowsBeginning(subscribed) ? madeOrder(beginning) : undefined;
  const { subscription, made } = subscribed;
  const held = subscription && made ? subscriptionOf(subscription, subscribed, made, begin ?? null) : undefined;
  return {
    order,
    entitlements: order ? granted.map((one) => entitlementUnderRefund(one, order)) : [],
    subscription: held && begin ? subscriptionUnderRefund(held, begin) : held,
  };
};

/**
 * The stored record, updated with the fields that differ between two states of the sale. A field that only the earlier
 * state has is removed. The operator's changes stay.
 */
const revised = <T extends object>(stored: T, before: T, now: T): T => {
  const changed = Object.entries({ ...before, ...now }).filter(
    ([name]) => !isSameJson(now[name as keyof T], before[name as keyof T]),
  );
  const next = { ...stored, ...Object.fromEntries(changed.map(([name]) => [name, now[name as keyof T]])) };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as T;
};

const revisedOrder = (stored: Order, before: Order, now: Order): Order => {
  const has = ({ refunds = [] }: Order, refund: Refund, isOlder = false): boolean =>
    refunds.some((one) => isSameJson(isOlder ? { ...one, ...refund } : refund, one));
  const left = (stored.refunds ?? []).filter((refund) => {
    // A refund stored by an older version has neither an amount nor a kind.
    const isOlder = !has(before, refund);
    return !has(before, refund, isOlder) || has(now, refund, isOlder);
  });
  const added = (now.refunds ?? []).filter((refund) => !has(before, refund));
  const merged = {
    ...revised(stored, before, now),
    items: now.items.map((item) => {
      const [current, former] = [stored, before].map(({ items }) => items.find(({ id }) => id === item.id));
      return current && former ? revised(current, former, item) : item;
    }),
    refunds: [...left, ...added],
  };
  // An order that the operator marked as unpaid stays so, such as one from which the buyer withdrew. Refunds set their
  // own status.
  const isByRefund = stored.refunds !== undefined && stored.status === 'refunded';
  const isTold = stored.status !== before.status && UNPAID_STATUSES.includes(stored.status) && !isByRefund;
  return withPaidMark(withKeptRefunds(isTold ? { ...merged, status: stored.status } : merged, undefined), stored);
};

const revisedSubscription = (stored: Subscription, before: Subscription, now: Subscription): Subscription => {
  const merged = revised(stored, before, now);
  const isBilled = stored.billing && before.billing && now.billing;
  return isBilled ? { ...merged, billing: revised(stored.billing, before.billing, now.billing) } : merged;
};

/**
 * The stored records after a sale changed from `before` to `now`: only the differences are written, so the operator's
 * changes stay. An entitlement that the sale no longer gives is revoked. The operator's refunds count like those of the
 * sale.
 */
export const revisedRecords = (
  stored: SaleRecords,
  before: SaleRecords,
  now: SaleRecords,
  at: Instant,
): SaleRecords => {
  const order =
    stored.order && before.order && now.order ? revisedOrder(stored.order, before.order, now.order) : now.order;
  const { subscription: held } = stored;
  const subscription =
    held && before.subscription && now.subscription
      ? revisedSubscription(held, before.subscription, now.subscription)
      : (now.subscription ?? held);
  const by = (records: SaleRecords) => new Map(records.entitlements.map((one) => [one.id, one]));
  const [current, former, next] = [by(stored), by(before), by(now)];
  const entitlements = [
    ...now.entitlements.map((one) => {
      const [own, was] = [current.get(one.id), former.get(one.id)];
      return own && was ? revised(own, was, one) : one;
    }),
    ...stored.entitlements.filter(({ id }) => !next.has(id)).map((one) => revokedEntitlement(one, at)),
  ];
  return {
    order,
    entitlements: order ? entitlements.map((one) => entitlementUnderRefund(one, order)) : entitlements,
    subscription: subscription && order ? subscriptionUnderRefund(subscription, order) : subscription,
  };
};
