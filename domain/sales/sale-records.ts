import type { Order, OrderItem, Refund } from '../billing/order.ts';
import type { Price } from '../catalog/price.ts';
import type { Product } from '../catalog/product.ts';
import type { Entitlement } from '../licensing/entitlement.ts';
import type { Subscription } from '../licensing/subscription.ts';
import { addDays, type Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { KeptOrder, KeptSubscription, OrderSale } from './sale.ts';
import type { Provider, SoldThing } from './sale-event.ts';

/** The most lines of an order, and the most entitlements that they give: one transaction writes them all. */
export const MOST_LINES = 20;

const OWN_TERMS: Omit<Price, 'provider' | 'id'> = {
  device_limit: null,
  access_days: null,
  updates_days: null,
  grace_days: 0,
  apps: null,
};

/** What a line of an order stands for: its products, and the terms of its price. */
export type Sold = { readonly products: readonly Product[]; readonly terms: Omit<Price, 'provider' | 'id'> };

/** The products that a thing stands for, by the prices and slugs of the catalog. */
export const soldBy = (
  provider: Provider,
  thing: SoldThing,
  products: Iterable<Product>,
): Outcome<Sold, 'product_not_found'> => {
  const found = [...products].flatMap((product) => {
    if ('product' in thing) return product.slug === thing.product ? [{ product, terms: OWN_TERMS }] : [];
    const price = product.prices?.find((one) => one.provider === provider && one.id === thing.price);
    return price ? [{ product, terms: price }] : [];
  });
  const [first] = found;
  if (first) return ok({ products: found.map(({ product }) => product), terms: first.terms });
  const message =
    'product' in thing
      ? `There is no product ${thing.product}; import it, or name another slug.`
      : `No product has the price ${thing.price} of ${provider}; name it in the product’s "prices" in the store document, and import that.`;
  return refuse('product_not_found', { message });
};

type Made = NonNullable<OrderSale['made']>;

const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** Refuses amounts that contradict each other, and orders that one transaction can't write. */
export const judgeOrder = (
  { currency, lines, total_cents, vat_cents, reference }: KeptOrder,
  sold: readonly Sold[],
): Outcome<null, 'currency_unknown' | 'amounts_contradict' | 'too_many_lines'> => {
  if (!isCurrency(currency)) {
    return refuse('currency_unknown', {
      message: `Order ${reference} has the currency ${currency}, which ISO 4217 has not.`,
    });
  }
  const sum = lines.reduce((all, line) => all + line.total_cents, 0);
  if (sum !== total_cents || (vat_cents ?? 0) > total_cents) {
    return refuse('amounts_contradict', {
      message: `Order ${reference} has a total of ${total_cents}, and its lines come to ${sum}, with tax of ${vat_cents ?? 0} in it.`,
    });
  }
  const entitlements = sold.reduce((all, { products }) => all + products.length, 0);
  if (lines.length > MOST_LINES || entitlements > MOST_LINES) {
    return refuse('too_many_lines', {
      message: `Order ${reference} has ${lines.length} lines for ${entitlements} products; split it into orders of at most ${MOST_LINES}.`,
    });
  }
  return ok(null);
};

const itemOf = (line: KeptOrder['lines'][number], { products }: Sold, n: number): OrderItem => {
  const { quantity, total_cents } = line;
  // The price of a unit is a whole number; what is left over counts as a discount.
  const unit = Math.ceil((total_cents + line.discount_cents) / quantity);
  const subtotal_cents = unit * quantity;
  return {
    id: n + 1,
    product_id: products[0]?.id ?? 0,
    product_name: products[0]?.name ?? null,
    list_unit_price_cents: unit,
    unit_price_cents: unit,
    quantity,
    subtotal_cents,
    discount_total_cents: subtotal_cents - total_cents,
    total_cents,
    first_used_at: null,
  };
};

const isSameThing = (a: SoldThing, b: SoldThing): boolean =>
  'price' in a ? 'price' in b && a.price === b.price : 'product' in b && a.product === b.product;

/**
 * The refunds of an order. Named things are refunded with their access. Otherwise the whole order is, once the amounts
 * reach its total; a smaller amount is money alone, which takes nothing from the buyer.
 */
export const refundsOf = ({ refunds }: Pick<OrderSale, 'refunds'>, { lines, total_cents }: KeptOrder): Refund[] => {
  let sum = 0;
  return refunds.map(({ facts: { things, amount_cents, refunded_at, cause } }) => {
    const item_ids =
      things && lines.flatMap((line, n) => (things.some((one) => isSameThing(one, line)) ? [n + 1] : []));
    sum += amount_cents ?? total_cents;
    if (item_ids && item_ids.length > 0) return { refunded_at, item_ids, keeps_access: false, reason: cause };
    const isWhole = sum >= total_cents;
    return { refunded_at, item_ids: isWhole ? null : [], keeps_access: !isWhole, reason: cause };
  });
};

/** The order of a sale that was made, without its refunds. */
export const orderOf = (facts: KeptOrder, sold: readonly Sold[], { account_id, order_id }: Made): Order => {
  const items = facts.lines.map((line, n) => itemOf(line, sold[n] as Sold, n));
  const sum = (of: (item: OrderItem) => number): number => items.reduce((all, item) => all + of(item), 0);
  const { vat_cents, total_cents } = facts;
  return {
    id: order_id,
    account_id,
    number: `${facts.ordered_at.slice(0, 10).replaceAll('-', '')}-${order_id.toString(36).toUpperCase()}`,
    status: facts.status,
    ordered_at: facts.ordered_at,
    paid_at: facts.paid_at,
    currency: facts.currency,
    payment_method: facts.payment_method,
    subtotal_cents: sum((item) => item.subtotal_cents),
    discount_total_cents: sum((item) => item.discount_total_cents),
    total_cents,
    supply_cents: vat_cents === null ? null : total_cents - vat_cents,
    vat_cents,
    receipt_url: facts.receipt_url,
    subscription_name: facts.subscription ? (items[0]?.product_name ?? null) : null,
    items,
  };
};

/** The names under which a sale keeps the ids of its entitlements: the line and the product. */
export const entitlementNames = (facts: KeptOrder, sold: readonly Sold[]): string[] =>
  facts.status === 'paid' && facts.subscription === null
    ? sold.flatMap(({ products }, n) => products.map(({ id }) => `${n + 1}#${id}`))
    : [];

/** The entitlements that a paid order gives. A payment of a subscription gives none: the subscription does. */
export const entitlementsOf = (
  facts: KeptOrder,
  sold: readonly Sold[],
  { made, entitlements }: OrderSale,
): Entitlement[] => {
  if (made === null) return [];
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
    };
  });
};

/** The subscription of a sale that was made. `order` is the one that began it, where it is known. */
export const subscriptionOf = (
  facts: KeptSubscription,
  sold: readonly Sold[],
  { account_id, id }: { readonly account_id: number; readonly id: number },
  order: Pick<Order, 'id' | 'number'> | null,
  at: Instant,
): Subscription => {
  const { starts_at, cancelled_at, status } = facts;
  const isOver = status === 'cancelled' || status === 'expired' || cancelled_at !== null;
  const ends_at = facts.ends_at ?? (isOver ? at : null);
  const terms = sold[0]?.terms ?? OWN_TERMS;
  return {
    id,
    account_id,
    product_ids: [...new Set(sold.flatMap(({ products }) => products.map((product) => product.id)))],
    status,
    starts_at,
    ends_at: ends_at !== null && ends_at < starts_at ? starts_at : ends_at,
    cancelled_at: cancelled_at ?? (status === 'cancelled' ? at : null),
    grace_days: terms.grace_days,
    device_limit: terms.device_limit,
    apps: terms.apps,
    billing: {
      order_id: order?.id ?? null,
      order_number: order?.number ?? null,
      payment_method_id: null,
      trial_ends_at: facts.trial_ends_at,
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

/**
 * The record as the sale makes it now, over the stored one. A field is written only where the sale changed it since,
 * so that what the operator changed meanwhile stays.
 */
export const revised = <T extends object>(stored: T | undefined, before: T | undefined, now: T): T => {
  if (!stored) return now;
  const fields = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before?.[name as keyof T]),
  );
  return before ? { ...stored, ...Object.fromEntries(fields) } : { ...now, ...stored };
};
