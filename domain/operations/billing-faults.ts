import type { Order } from '../billing/order.ts';
import type { PaymentMethod } from '../billing/payment-method.ts';
import { accessEnd } from '../licensing/subscription.ts';
import { dangling, type Fault, repeats } from '../shared/fault.ts';
import { orderFaults, taxFaults } from './order-faults.ts';
import type { AccountEntry, SubscriptionEntry } from './store-document.ts';

type Known = { has(productId: number): boolean };
type Row<Member extends 'invoices' | 'payment_methods' | 'entitlements'> = AccountEntry[Member][number];

const invoiceFaults = (path: string, invoice: Row<'invoices'>): Fault[] => {
  const { status, issued_at, due_at, paid_at } = invoice;
  const isSettled = status === 'paid' || status === 'refunded';
  return [
    ...(isSettled && paid_at === null
      ? [{ path: `${path}.paid_at`, message: `an invoice that is ${status} was paid some time` }]
      : []),
    ...(status === 'open' && paid_at !== null
      ? [{ path: `${path}.paid_at`, message: 'an invoice that is open was not paid yet' }]
      : []),
    ...(due_at !== null && due_at < issued_at
      ? [{ path: `${path}.due_at`, message: 'must not lie before issued_at' }]
      : []),
    ...taxFaults(path, invoice),
  ];
};

const paymentMethodFaults = (path: string, { type, last4, exp_month, exp_year }: Row<'payment_methods'>): Fault[] => {
  const missing = Object.entries({ last4, exp_month, exp_year }).filter(([, value]) => value === null);
  if (type === 'card') return missing.map(([name]) => ({ path: `${path}.${name}`, message: 'a card has one' }));
  return (exp_month === null) === (exp_year === null)
    ? []
    : [{ path: `${path}.exp_year`, message: 'exp_month and exp_year are both there or neither' }];
};

const FOUR_DIGIT_YEAR = /^\d{4}-/;

const datesFaults = (path: string, subscription: SubscriptionEntry): Fault[] => {
  const { status, starts_at, ends_at, cancelled_at } = subscription;
  const end = accessEnd({ ...subscription, account_id: 0, billing: null });
  return [
    ...(ends_at !== null && ends_at < starts_at
      ? [{ path: `${path}.ends_at`, message: 'must not lie before starts_at' }]
      : []),
    ...((status === 'expired' || status === 'cancelled' || cancelled_at !== null) && ends_at === null
      ? [{ path: `${path}.ends_at`, message: 'a subscription that is over or cancelled has an end' }]
      : []),
    ...(status === 'cancelled' && cancelled_at === null
      ? [{ path: `${path}.cancelled_at`, message: 'a subscription that is cancelled was cancelled some time' }]
      : []),
    ...(end !== null && !FOUR_DIGIT_YEAR.test(end)
      ? [{ path: `${path}.grace_days`, message: 'must not lead past the year 9999' }]
      : []),
  ];
};

const subscriptionFaults = (path: string, subscription: SubscriptionEntry): Fault[] => {
  const { billing } = subscription;
  const amount = billing?.renewal_amount_cents ?? null;
  const currency = billing?.renewal_currency ?? null;
  return [
    ...datesFaults(path, subscription),
    ...((amount === null) === (currency === null)
      ? []
      : [
          {
            path: `${path}.billing.${amount === null ? 'renewal_amount_cents' : 'renewal_currency'}`,
            message: 'renewal_amount_cents and renewal_currency are both there or neither',
          },
        ]),
    ...(billing?.krw_exchange && (currency === null || currency === 'KRW')
      ? [{ path: `${path}.billing.krw_exchange`, message: 'is for a renewal_currency other than KRW' }]
      : []),
  ];
};

/** The faults of an account's billing, in itself and in its references to `products`. */
export const billingFaults = (entry: AccountEntry, path: string, products: Known): Fault[] => [
  ...entry.orders.flatMap((order, n) => orderFaults(`${path}.orders.${n}`, order, products)),
  ...entry.invoices.flatMap((invoice, n) => invoiceFaults(`${path}.invoices.${n}`, invoice)),
  ...entry.payment_methods.flatMap((one, n) => paymentMethodFaults(`${path}.payment_methods.${n}`, one)),
  ...repeats(
    entry.payment_methods,
    ({ is_default }) => (is_default ? 'default' : null),
    (n, first) => ({
      path: `${path}.payment_methods.${n}.is_default`,
      message: `${path}.payment_methods.${first} is the default already`,
    }),
  ),
  ...entry.subscriptions.flatMap((one, n) => subscriptionFaults(`${path}.subscriptions.${n}`, one)),
];

/** The stored billing of an account. */
export type StoredBilling = {
  readonly orders: readonly Order[];
  readonly payment_methods: readonly PaymentMethod[];
};

type OrderRow = Pick<Order, 'id' | 'number' | 'items'>;

const entitlementFaults = (path: string, row: Row<'entitlements'>, orders: ReadonlyMap<number, OrderRow>): Fault[] => {
  const { order_id, order_item_id, product_id, source_product_id } = row;
  if (order_id === null) {
    return order_item_id === null ? [] : [{ path: `${path}.order_id`, message: 'is needed beside order_item_id' }];
  }
  const order = orders.get(order_id);
  if (!order) return dangling(`${path}.order_id`, 'order', order_id, orders);
  if (order_item_id === null) return [{ path: `${path}.order_item_id`, message: 'is needed beside order_id' }];
  const item = order.items.find(({ id }) => id === order_item_id);
  if (!item) return [{ path: `${path}.order_item_id`, message: `order ${order_id} has no item ${order_item_id}` }];
  return item.product_id === product_id || item.product_id === source_product_id
    ? []
    : [{ path: `${path}.order_item_id`, message: `item ${order_item_id} is of product ${item.product_id}` }];
};

const numberFaults = (entry: AccountEntry, path: string, stored: readonly Order[]): Fault[] => {
  const numbers = new Map(stored.map(({ id, number }) => [id, number]));
  const owners = new Map(stored.map(({ id, number }) => [number, id]));
  return entry.orders.flatMap(({ id, number }, n) => {
    const at = `${path}.orders.${n}.number`;
    const before = numbers.get(id);
    if (before !== undefined && before !== number)
      return [{ path: at, message: `order ${id} has the number ${before}` }];
    const owner = owners.get(number);
    return owner === undefined || owner === id
      ? []
      : [{ path: at, message: `${number} is the number of order ${owner}` }];
  });
};

/** The faults of an account's references to orders and payment methods, of the document and of the store (`stored`). */
export const storedBillingFaults = (entry: AccountEntry, path: string, stored: StoredBilling): Fault[] => {
  const orders = new Map<number, OrderRow>([...stored.orders, ...entry.orders].map((order) => [order.id, order]));
  const methods = new Set([...stored.payment_methods, ...entry.payment_methods].map(({ id }) => id));
  return [
    ...numberFaults(entry, path, stored.orders),
    ...entry.invoices.flatMap(({ order_id }, n) =>
      dangling(`${path}.invoices.${n}.order_id`, 'order', order_id, orders),
    ),
    ...entry.entitlements.flatMap((row, n) => entitlementFaults(`${path}.entitlements.${n}`, row, orders)),
    ...entry.subscriptions.flatMap(({ billing }, n) => {
      const at = `${path}.subscriptions.${n}.billing`;
      return billing === null
        ? []
        : [
            ...dangling(`${at}.order_id`, 'order', billing.order_id, orders),
            ...dangling(`${at}.payment_method_id`, 'payment method', billing.payment_method_id, methods),
          ];
    }),
  ];
};
