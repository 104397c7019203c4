import type { Bundle } from '../catalog/product.ts';
import { productsBrought } from '../licensing/access.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import type { Instant } from '../shared/instant.ts';
import type { Locale, Localized } from '../shared/locale.ts';
import { inOrder, type ListOrder, placeOf } from '../shared/paging.ts';

/**
 * `withdrawn`: the buyer withdrew within the legal period. `cancelled`: the order was never paid. `disputed`: the buyer's
 * bank asks for the money, or has it.
 */
export const ORDER_STATUSES = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'cancelled',
  'withdrawn',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The form of `payment_method`. */
export const PAYMENT_METHOD = /^[a-z][a-z0-9_-]{0,49}$/;

/** Amounts are integers in minor units of the order's currency. */
export type OrderItem = {
  readonly id: number;
  /** Null for a line that is no product of the shop, such as shipping. */
  readonly product_id: number | null;
  /** The product's name at the time of sale; null takes its present name. A line without a product has its text here. */
  readonly product_name: Localized | null;
  readonly list_unit_price_cents: number;
  readonly unit_price_cents: number;
  readonly quantity: number;
  readonly subtotal_cents: number;
  readonly discount_total_cents: number;
  readonly total_cents: number;
  /** When the buyer first downloaded or used the item; null where the store knows of no use. */
  readonly first_used_at: Instant | null;
};

/** Money of an order that went back to the buyer, or that the buyer's bank asks for. It is never changed. */
export type Refund = {
  readonly refunded_at: Instant;
  /** The items whose money went back; null for all of them. */
  readonly item_ids: readonly number[] | null;
  /** True where the buyer may go on using what the items gave. */
  readonly keeps_access: boolean;
  /** A note for the operator; buyers are not shown it. */
  readonly reason: string | null;
  /** The money in minor units, where a payment provider told it; absent where it is that of the items. */
  readonly amount_cents?: number | undefined;
  /**
   * Absent where the money of all items went back. `part`: only a part of it did, and the access ended all the same.
   * `dispute`: no refund, but a dispute that is open or lost.
   */
  readonly kind?: 'part' | 'dispute' | undefined;
};

/** The payment provider's own ids of an order. */
export type OrderSource = {
  readonly provider: string;
  /** The payment: an invoice, a transaction, an order or a reference of the provider. */
  readonly payment: string;
  /** The subscription that it paid for. */
  readonly subscription: string | null;
};

/** The buyer's declaration to withdraw from an order, and the ticket that it opened. The shop refunds the order. */
export type OrderWithdrawal = { readonly declared_at: Instant; readonly ticket_id: number };

export type Order = {
  readonly id: number;
  readonly account_id: number;
  /** The number that the buyer knows. It never changes and is unique. */
  readonly number: string;
  readonly status: OrderStatus;
  readonly ordered_at: Instant;
  readonly paid_at: Instant | null;
  readonly currency: string;
  /** The store's name of the means of payment: `card`, `bank_transfer`, … */
  readonly payment_method: string;
  readonly subtotal_cents: number;
  readonly discount_total_cents: number;
  readonly total_cents: number;
  /** The price without value added tax. Null exactly where `vat_cents` is. */
  readonly supply_cents: number | null;
  readonly vat_cents: number | null;
  readonly receipt_url: string | null;
  /** The subscription that the order began or renewed. */
  readonly subscription_name: Localized | null;
  readonly items: readonly OrderItem[];
  /** Absent where no payment provider told of the order, and in orders that are older than this field. */
  readonly source?: OrderSource | undefined;
  /** In the order in which they were made; absent where no command refunded anything. */
  readonly refunds?: readonly Refund[] | undefined;
  /** Absent where the buyer has not withdrawn. Nothing takes it back. */
  readonly withdrawal?: OrderWithdrawal | undefined;
};

/** The statuses of an order that nobody has paid for, or whose money went back. */
export const UNPAID_STATUSES: readonly OrderStatus[] = ['pending', 'refunded', 'disputed', 'withdrawn', 'cancelled'];

export const ORDER_STATUS_LABELS: Readonly<Record<OrderStatus, Readonly<Record<Locale, string>>>> = {
  pending: { en: 'Awaiting payment', ko: '결제 대기' },
  paid: { en: 'Paid', ko: '결제 완료' },
  partially_refunded: { en: 'Partly refunded', ko: '부분 환불' },
  refunded: { en: 'Refunded', ko: '환불 완료' },
  disputed: { en: 'Disputed', ko: '결제 이의 제기' },
  cancelled: { en: 'Cancelled', ko: '주문 취소' },
  withdrawn: { en: 'Withdrawn', ko: '청약철회' },
};

/** The newest orders first. Of two orders of the same moment, the one with the higher id comes first. */
export const ORDERS: ListOrder<Order> = { place: ({ ordered_at, id }) => placeOf(ordered_at, id), highestFirst: true };

export const newestOrdersFirst = (orders: readonly Order[]): Order[] => inOrder(orders, ORDERS);

/** The products that an order brought, by its lines, its entitlements and its subscription. */
export const productsOfOrder = (
  { id, items }: Pick<Order, 'id' | 'items'>,
  { entitlements, subscriptions }: Holdings,
  bundles: readonly Bundle[],
): ReadonlySet<number> => {
  const bought = [
    ...items.map(({ product_id }) => product_id),
    ...entitlements.filter(({ order_id }) => order_id === id).map(({ product_id }) => product_id),
    ...subscriptions.filter(({ billing }) => billing?.order_id === id).flatMap(({ product_ids }) => product_ids),
  ];
  return new Set(bought.flatMap((product_id) => (product_id === null ? [] : productsBrought(product_id, bundles))));
};

/** The name of a line that is no product, and that nobody has a text for. */
export const OTHER_LINE = { en: 'Shipping, fees and rounding', ko: '배송비, 수수료 및 단수 차액' };

/**
 * The order of an erased account: without its receipt, a page that usually names the buyer, and without reasons of refunds
 * and texts of lines, which may.
 */
export const erasedOrder = (order: Order): Order => ({
  ...order,
  receipt_url: null,
  items: order.items.map((item) => (item.product_id === null ? { ...item, product_name: OTHER_LINE } : item)),
  ...(order.refunds && { refunds: order.refunds.map((refund) => ({ ...refund, reason: null })) }),
});
