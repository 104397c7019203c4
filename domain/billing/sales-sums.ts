import type { Instant } from '../shared/instant.ts';
import { isNeverPaid, type Order, type Refund } from './order.ts';
import { moneyBack } from './refund.ts';

/** The numbers that are added up. Amounts are in minor units of one currency; they are never added across currencies. */
export const SUMMED = [
  'orders',
  'units',
  'gross_cents',
  'tax_cents',
  'refunded_cents',
  'refunded_tax_cents',
  'disputed_cents',
] as const;

export type Sums = Readonly<Record<(typeof SUMMED)[number], number>>;

/** The numbers of one product; null for lines that are no product. A number that is absent is 0. */
export type ProductSums = Partial<Sums> & { readonly product_id: number | null };

/** The sums of a day in one currency, of the orders of one provider. An order of two products counts once in `orders`. */
export type DaySums = {
  readonly day: string;
  readonly currency: string;
  /** Null for orders that no payment provider reported. */
  readonly provider: string | null;
  readonly orders: number;
  readonly products: readonly ProductSums[];
};

/** A sale, a refund or a dispute as it is counted: its moment, and the day on which it counts. */
type CountedMoment = Pick<DaySums, 'day' | 'orders' | 'products'> & { readonly at: Instant };

/** All that the sums contain of one order. */
export type OrderCount = Pick<DaySums, 'currency' | 'provider'> & { readonly moments: readonly CountedMoment[] };

/** The calendar days of moments in a time zone, as `YYYY-MM-DD`. */
export const daysIn = (timeZone: string): ((at: Instant) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (at) => format.format(new Date(at));
};

/** Splits an amount in proportion to the weights. The parts add up to it exactly. */
const portions = (amount: number, weights: readonly number[]): number[] => {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let [upTo, given] = [0, 0];
  return weights.map((weight, n) => {
    upTo += weight;
    const due = all > 0 ? (2n * BigInt(amount) * BigInt(upTo) + BigInt(all)) / (2n * BigInt(all)) : BigInt(amount);
    const part = Number(due) - given;
    given += part;
    return n === weights.length - 1 ? part + amount - given : part;
  });
};

/** The products of two lists with their numbers added, without zeros, by ascending id. */
const joined = (some: readonly ProductSums[], more: readonly ProductSums[], sign: 1 | -1 = 1): ProductSums[] => {
  const sums = new Map(some.map((one) => [one.product_id, one]));
  for (const one of more) {
    const before = sums.get(one.product_id);
    const values = SUMMED.map((name) => [name, (before?.[name] ?? 0) + sign * (one[name] ?? 0)] as const);
    sums.set(one.product_id, {
      product_id: one.product_id,
      ...Object.fromEntries(values.filter(([, value]) => value !== 0)),
    });
  }
  return [...sums.values()]
    .filter((one) => Object.keys(one).length > 1)
    .sort((a, b) => (a.product_id ?? 0) - (b.product_id ?? 0));
};

/** The refunds of an order on later days count on the last of so many, so that one transaction writes them all. */
const MOST_MOMENTS = 20;

/**
 * The money that each refund gave back. Of a sale by a provider, a refund by the shop and the provider's report of it
 * are two entries about the same money, so the larger one of both sums counts. An item is given back once.
 */
const amountsBack = ({ items, source, total_cents }: Order, refunds: readonly Refund[]): number[] => {
  const given = new Set<number>();
  let [reported, back, isWhole] = [0, 0, false];
  return refunds.map(({ amount_cents, item_ids }) => {
    if (amount_cents !== undefined) reported += amount_cents;
    else if (item_ids === null) isWhole = true;
    else for (const id of item_ids) given.add(id);
    const prices = items.reduce((sum, { id, total_cents: price }) => sum + (given.has(id) ? price : 0), 0);
    const own = Math.min((source ? 0 : reported) + (isWhole ? total_cents : prices), total_cents);
    const earlier = back;
    back = Math.max(reported, own);
    return back - earlier;
  });
};

/**
 * The sums' content of an order. A sale counts on the day of its payment with its whole price and tax, whatever follows;
 * a refund counts apart, on its own day, and so does a dispute. One without a known day counts on that of the sale. Tax
 * is split by the lines' prices, and refunded tax by the refunded part of the price. A test counts nowhere.
 */
export const countOfOrder = (order: Order, dayOf: (at: Instant) => string): OrderCount => {
  const { currency, source, total_cents, vat_cents, status } = order;
  const count = { currency, provider: source?.provider ?? null };
  if (isNeverPaid(order) || order.test) return { ...count, moments: [] };
  const sold = order.paid_at ?? order.ordered_at;
  const items =
    order.items.length > 0 ? order.items : [{ id: 0, product_id: null, quantity: 0, total_cents: total_cents }];
  const prices = items.map((item) => item.total_cents);
  const gross = portions(total_cents, prices);
  const tax = portions(vat_cents ?? 0, prices);
  const moment = (at: Instant, rows: readonly ProductSums[], orders = 0): CountedMoment => ({
    at,
    day: dayOf(at),
    orders,
    products: rows.reduce<ProductSums[]>((all, row) => joined(all, [row]), []),
  });
  const taken = ({ item_ids }: Pick<Refund, 'item_ids'>, name: 'refunded' | 'disputed', cents: number, vat = 0) => {
    const named = items.map(({ id }, n) => (item_ids === null || item_ids.includes(id) ? (gross[n] ?? 0) : 0));
    // A refund of only money names no item.
    const weights = named.some((weight) => weight > 0) ? named : gross;
    const [amounts, taxes] = [portions(cents, weights), portions(vat, weights)];
    return items.map(
      ({ product_id }, n): ProductSums => ({
        product_id,
        [`${name}_cents`]: amounts[n],
        ...(name === 'refunded' && { refunded_tax_cents: taxes[n] }),
      }),
    );
  };
  const sale = moment(
    sold,
    [...new Set(items.map(({ product_id }) => product_id))]
      .map((product_id): ProductSums => ({ product_id, ...(product_id !== null && { orders: 1 }) }))
      .concat(
        items.map(({ product_id, quantity }, n) => ({
          product_id,
          ...(product_id !== null && { units: quantity }),
          gross_cents: gross[n] ?? 0,
          tax_cents: tax[n] ?? 0,
        })),
      ),
    1,
  );
  const known = moneyBack(order);
  const isBackUnknown = known.length === 0 && (status === 'refunded' || status === 'withdrawn');
  const unknown = { refunded_at: sold, item_ids: null, keeps_access: false, reason: null };
  const refunds = isBackUnknown ? [unknown] : known;
  const amounts = amountsBack(order, refunds);
  const rest = total_cents - amounts.reduce((sum, cents) => sum + cents, 0);
  const taxes = portions(vat_cents ?? 0, [...amounts, Math.max(rest, 0)]);
  const claims = (order.refunds ?? []).filter(({ kind }) => kind === 'dispute');
  const disputes: readonly Refund[] = claims.length === 0 && status === 'disputed' ? [unknown] : claims;
  const later = [
    ...refunds.map((refund, n) => [refund, taken(refund, 'refunded', amounts[n] ?? 0, taxes[n])] as const),
    ...disputes.map((one) => [one, taken(one, 'disputed', one.amount_cents ?? total_cents)] as const),
  ];
  const last = later.slice(0, MOST_MOMENTS).at(-1)?.[0].refunded_at ?? sold;
  return {
    ...count,
    moments: [sale, ...later.map(([one, rows], n) => moment(n < MOST_MOMENTS ? one.refunded_at : last, rows))],
  };
};

const cellOf = ({ day, currency, provider }: Pick<DaySums, 'day' | 'currency' | 'provider'>): string =>
  JSON.stringify([day, currency, provider]);

/** The sums with others added, which a change of an order has negative. */
export const withAdded = (sums: DaySums | undefined, more: DaySums, sign: 1 | -1 = 1): DaySums => ({
  ...more,
  orders: (sums?.orders ?? 0) + sign * more.orders,
  products: joined(sums?.products ?? [], more.products, sign),
});

/** Adds an order to sums by day, currency and provider. */
export const addCount = (
  sums: Map<string, DaySums>,
  { moments, currency, provider }: OrderCount,
  sign: 1 | -1 = 1,
): void => {
  for (const { day, orders, products } of moments) {
    const cell = { day, currency, provider, orders, products };
    sums.set(cellOf(cell), withAdded(sums.get(cellOf(cell)), cell, sign));
  }
};

export const isNothing = ({ orders, products }: Pick<DaySums, 'orders' | 'products'>): boolean =>
  orders === 0 && products.length === 0;

/** The sums to add where an order that was counted as `before` is counted as `after` instead. */
export const sumsOf = (before: OrderCount | undefined, after: OrderCount): DaySums[] => {
  const sums = new Map<string, DaySums>();
  addCount(sums, after);
  if (before) addCount(sums, before, -1);
  return [...sums.values()].filter((one) => !isNothing(one));
};

/** Sums with the amount that is left to the shop: the price without tax, less what was refunded of it. */
export type ShownSums = Sums & { readonly currency: string; readonly net_cents: number };

const ZERO = Object.fromEntries(SUMMED.map((name) => [name, 0])) as Record<keyof Sums, number>;

const addTo = (sums: typeof ZERO, more: Partial<Sums>): void => {
  for (const name of SUMMED) {
    const value = more[name];
    if (value) sums[name] += value;
  }
};

type Group<K> = { readonly key: K; readonly currency: string; readonly sums: typeof ZERO };

/** The totals of sums by key and currency, in the order of their first parts. */
class Groups<K extends string | number | null> {
  readonly #groups = new Map<string, Group<K>>();

  add(key: K, currency: string, sums: Partial<Sums>): void {
    const name = `${currency} ${key ?? ''}`;
    let group = this.#groups.get(name);
    if (!group) this.#groups.set(name, (group = { key, currency, sums: { ...ZERO } }));
    addTo(group.sums, sums);
  }

  shown(): { key: K; sums: ShownSums }[] {
    return [...this.#groups.values()].map(({ key, currency, sums }) => {
      const net_cents = sums.gross_cents - sums.tax_cents - (sums.refunded_cents - sums.refunded_tax_cents);
      return { key, sums: { currency, ...sums, net_cents } };
    });
  }
}

/** The sums of a stretch of days, grouped in four ways, each by currency. A year has many thousands of parts. */
export const reportOf = (parts: readonly DaySums[]) => {
  const [totals, days] = [new Groups<null>(), new Groups<string>()];
  const [products, providers] = [new Groups<number | null>(), new Groups<string | null>()];
  for (const { day, currency, provider, orders, products: rows } of parts) {
    const whole = { ...ZERO };
    for (const row of rows) {
      products.add(row.product_id, currency, row);
      addTo(whole, row);
    }
    whole.orders = orders;
    totals.add(null, currency, whole);
    days.add(day, currency, whole);
    providers.add(provider, currency, whole);
  }
  return {
    totals: totals.shown().map(({ sums }) => sums),
    days: days.shown().map(({ key: day, sums }) => ({ day, ...sums })),
    products: products.shown().map(({ key: product_id, sums }) => ({ product_id, ...sums })),
    providers: providers.shown().map(({ key: provider, sums }) => ({ provider, ...sums })),
  };
};
