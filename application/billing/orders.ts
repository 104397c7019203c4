import {
  merchantOfRecord,
  newestOrdersFirst,
  ORDER_STATUS_LABELS,
  type Order,
  type OrderItem,
} from '../../domain/billing/order.ts';
import { moneyBack, refundedMoney } from '../../domain/billing/refund.ts';
import { type Uses, withdrawalBar, withdrawalEnd } from '../../domain/billing/withdrawal.ts';
import { type Catalog, shopPage } from '../../domain/catalog/catalog.ts';
import { renewedEntitlements } from '../../domain/licensing/access.ts';
import {
  ACCESS_STATE_LABELS,
  accessState,
  type Entitlement,
  entitlementStatus,
  GRANT_STATUS_LABELS,
  GRANT_TYPE_LABELS,
} from '../../domain/licensing/entitlement.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Orders } from '../../ports/outbound/billing.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** Every order of the account, newest first. */
export const listOrders = ({ orders, readOrders }: { orders: Orders; readOrders: ReadOrders }) =>
  async function listOrders({ account_id, locale }: { account_id: number; locale: Locale }) {
    const all = orders.ofAccount(account_id).then(newestOrdersFirst);
    return { orders: await readOrders({ account_id, locale, orders: all }) };
  };

export type ListOrders = ReturnType<typeof listOrders>;

/** One order of the account. Another account's order, or a null id, is refused like an unknown order. */
export const showOrder = ({ orders, readOrders }: { orders: Orders; readOrders: ReadOrders }) =>
  async function showOrder({
    account_id,
    order_id,
    locale,
  }: {
    account_id: number;
    order_id: number | null;
    locale: Locale;
  }) {
    if (order_id === null) return refuse('order_not_found');
    const found = orders.find(account_id, order_id).then((order) => (order ? [order] : []));
    const [order] = await readOrders({ account_id, locale, orders: found });
    return order ? ok({ order }) : refuse('order_not_found');
  };

type Ports = Needs<'catalogs' | 'clock' | 'licenses' | 'links' | 'productUses'>;

/** The views of orders (`OrderData` in the OpenAPI document). Related records are read in parallel with the orders. */
export const readOrders = ({ catalogs, licenses, productUses, links, clock }: Ports) =>
  async function readOrders({
    account_id,
    locale,
    orders,
  }: {
    account_id: number;
    locale: Locale;
    orders: Promise<readonly Order[]>;
  }) {
    const now = clock.now();
    const [found, catalog, holdings, known] = await Promise.all([
      orders,
      catalogs.current(),
      licenses.held(account_id, undefined, []),
      productUses.of(account_id),
    ]);
    const uses = [...known.values()].map(({ use }) => use);
    const entitlements = renewedEntitlements(holdings, catalog.bundles);
    return found.map((order) => orderView(order, { catalog, entitlements, uses, links, locale, now }));
  };

export type ReadOrders = ReturnType<typeof readOrders>;

/** The records that an order view shows beside the order. */
export type OrderSurroundings = {
  readonly catalog: Catalog;
  readonly entitlements: readonly Entitlement[];
  readonly uses: Uses['uses'];
  readonly links: Links;
  readonly locale: Locale;
  readonly now: Instant;
};

/** `EntitlementData` of the OpenAPI document. */
const entitlementView = (
  entitlement: Entitlement,
  order: Order,
  item: OrderItem,
  { catalog, links, locale, now }: OrderSurroundings,
) => {
  const { id, product_id, source_product_id, grant_type, source_quantity } = entitlement;
  const status = entitlementStatus(entitlement, now);
  const access_state = accessState(entitlement, now);
  return {
    id,
    product_id,
    source_product_id,
    product_detail_url:
      shopPage(catalog.storefront, 'product_detail_url', product_id) ?? links.productDetail(product_id),
    order_id: order.id,
    order_item_id: item.id,
    grant_type,
    grant_type_label: GRANT_TYPE_LABELS[grant_type][locale],
    status,
    status_label: GRANT_STATUS_LABELS[status][locale],
    access_state,
    access_state_label: ACCESS_STATE_LABELS[access_state][locale],
    active: status === 'active',
    source_quantity,
    access_expires_at: entitlement.access_expires_at,
    updates_supported_until: entitlement.updates_supported_until,
    granted_at: entitlement.granted_at,
    revoked_at: entitlement.revoked_at,
  };
};

/** `OrderItemData` of the OpenAPI document. */
const itemView = (item: OrderItem, order: Order, around: OrderSurroundings) => {
  const { catalog, entitlements, links, locale } = around;
  const { product_id: sold } = item;
  const name = item.product_name ?? catalog.products.get(sold ?? 0)?.name ?? {};
  return {
    id: item.id,
    product_id: sold ?? 0,
    product_name: inLocale(name, locale) ?? '',
    product_url: sold === null ? '' : (shopPage(catalog.storefront, 'product_url', sold) ?? links.product(sold)),
    list_unit_price_cents: item.list_unit_price_cents,
    unit_price_cents: item.unit_price_cents,
    quantity: item.quantity,
    subtotal_cents: item.subtotal_cents,
    discount_total_cents: item.discount_total_cents,
    total_cents: item.total_cents,
    entitlements: entitlements
      .filter(({ order_id, order_item_id }) => order_id === order.id && order_item_id === item.id)
      .map((entitlement) => entitlementView(entitlement, order, item, around)),
  };
};

/** `OrderData` of the OpenAPI document, and the order's dates and refunds. */
export const orderView = (order: Order, around: OrderSurroundings) => {
  const { catalog, uses, locale, now } = around;
  const { paid_at, withdrawal = null } = order;
  const terms = catalog.storefront?.withdrawal;
  const can_withdraw = withdrawalBar(order, { uses, bundles: catalog.bundles }, terms, now) === null;
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    status_label: ORDER_STATUS_LABELS[order.status][locale],
    subtotal_cents: order.subtotal_cents,
    discount_total_cents: order.discount_total_cents,
    total_cents: order.total_cents,
    currency: order.currency,
    payment_method: order.payment_method,
    items: order.items.map((item) => itemView(item, order, around)),
    can_withdraw,
    receipt_url: order.receipt_url,
    billing: order.billing ?? null,
    invoice: order.invoice ?? null,
    vat_rate: order.vat_rate ?? null,
    sold_by: merchantOfRecord(order.source),
    supply_cents: order.supply_cents,
    vat_cents: order.vat_cents,
    subscription_name: order.subscription_name && (inLocale(order.subscription_name, locale) ?? null),
    ordered_at: order.ordered_at,
    paid_at,
    withdraw_until: can_withdraw && paid_at !== null && terms ? withdrawalEnd(paid_at, terms) : null,
    withdrawal,
    // A partial refund, and the rest that a later one refunds, have other amounts than the items.
    refunds: moneyBack(order).map((refund) => {
      const { refunded_at, item_ids, keeps_access, kind } = refund;
      const { cents } = refundedMoney(order, refund);
      const amount_cents = refund.amount_cents ?? (item_ids === null && cents < order.total_cents ? cents : null);
      return { refunded_at, item_ids: kind === 'part' ? [] : item_ids, keeps_access, amount_cents };
    }),
  };
};
