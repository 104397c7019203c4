import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { accountEntry, importInto, productEntry } from './store-folder.ts';

/* Billing entries of a store document, which refer to each other. */

/** The time of every entry. */
export const SINCE = '2026-01-05T00:00:00Z';

/** An order item with two units of product 1. */
export const item = (more: object = {}) => ({
  id: 1,
  product_id: 1,
  list_unit_price_cents: 600,
  unit_price_cents: 500,
  quantity: 2,
  subtotal_cents: 1000,
  discount_total_cents: 100,
  total_cents: 900,
  ...more,
});

/** An order of that item, paid immediately. */
export const order = (more: object = {}) => ({
  id: 5,
  number: 'O-5',
  status: 'paid',
  ordered_at: SINCE,
  paid_at: SINCE,
  currency: 'USD',
  payment_method: 'card',
  subtotal_cents: 1000,
  discount_total_cents: 100,
  total_cents: 900,
  items: [item()],
  ...more,
});

/** The invoice of the order. */
export const invoice = (more: object = {}) => ({
  id: 6,
  number: 'I-6',
  status: 'paid',
  order_id: 5,
  issued_at: SINCE,
  paid_at: SINCE,
  currency: 'USD',
  total_cents: 900,
  ...more,
});

export const card = (more: object = {}) => ({
  id: 7,
  type: 'card',
  brand: 'visa',
  last4: '4242',
  exp_month: 1,
  exp_year: 2030,
  ...more,
});

/** The entitlement from the order's item. */
export const entitlement = (more: object = {}) => ({
  id: 8,
  product_id: 1,
  order_id: 5,
  order_item_id: 1,
  granted_at: SINCE,
  ...more,
});

/** A subscription without billing. */
export const subscription = (more: object = {}) => ({
  id: 9,
  product_ids: [1],
  status: 'active',
  starts_at: SINCE,
  ...more,
});

/** The billing of a subscription that the order began and the card pays for. */
export const BILLED = { billing: { order_id: 5, payment_method_id: 7 } };

/** One entry of each kind. */
export const WHOLE = {
  orders: [order()],
  invoices: [invoice()],
  payment_methods: [card()],
  entitlements: [entitlement()],
  subscriptions: [subscription(BILLED)],
};

const PRODUCTS = [productEntry({ id: 1 }), productEntry({ id: 2 })];

/** Imports two products and accounts with these fields. */
export const importAccounts = (service: Service, folder: string, ...accounts: readonly object[]) =>
  importInto(service, folder, {
    products: PRODUCTS,
    accounts: accounts.map((account, n) => accountEntry({ id: n + 1, ...account })),
  });
