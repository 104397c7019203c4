import type { BillingDetails } from '../accounts/billing-details.ts';
import type { Bundle } from '../catalog/product.ts';
import { productsBrought } from '../licensing/access.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import type { Instant } from '../shared/instant.ts';
import type { Locale, Localized } from '../shared/locale.ts';
import { inOrder, type ListOrder, placeOf } from '../shared/paging.ts';

/**
 * `withdrawn`: the buyer withdrew within the legal period. `cancelled`: the order was never paid. `disputed`: the
 * buyer's bank claims the money, or has it.
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
  /** Null for a line that is not a product, such as shipping. */
  readonly product_id: number | null;
  /** The product's name at the time of sale; null means the current name. For a line without a product, its text. */
  readonly product_name: Localized | null;
  readonly list_unit_price_cents: number;
  readonly unit_price_cents: number;
  readonly quantity: number;
  readonly subtotal_cents: number;
  readonly discount_total_cents: number;
  readonly total_cents: number;
  /** The time at which the buyer first downloaded or used the item; null if no use is known. */
  readonly first_used_at: Instant | null;
};

/** A refund or dispute of an order. It never changes. */
export type Refund = {
  readonly refunded_at: Instant;
  /** The refunded items; null for all of them. */
  readonly item_ids: readonly number[] | null;
  /** True if the buyer keeps the access that the items gave. */
  readonly keeps_access: boolean;
  /** A note for the operator; buyers are not shown it. */
  readonly reason: string | null;
  /** The amount in minor units, as reported by the payment provider; absent if it is that of the items. */
  readonly amount_cents?: number | undefined;
  /**
   * Absent if all items were fully refunded. `part`: a partial refund that nevertheless ended the access. `dispute`:
   * not a refund, but an open or lost dispute.
   */
  readonly kind?: 'part' | 'dispute' | undefined;
};

/** The payment provider's own ids of an order. */
export type OrderSource = {
  readonly provider: string;
  /** The payment: an invoice, a transaction, an order or a reference of the provider. */
  readonly payment: string;
  /** The subscription that the order paid for. */
  readonly subscription: string | null;
};

/** The providers that sell in their own name, so they are the seller, charge the tax and issue the invoice. */
const MERCHANTS_OF_RECORD: Readonly<Record<string, string>> = { paddle: 'Paddle', polar: 'Polar' };

/** The merchant of record that sold an order; null if the shop itself did. */
export const merchantOfRecord = (source: { readonly provider: string } | undefined): string | null =>
  (source && Object.hasOwn(MERCHANTS_OF_RECORD, source.provider) && MERCHANTS_OF_RECORD[source.provider]) || null;

/** The invoice that a payment provider issued for an order: its number, and the page or file that shows it. */
export type ProviderInvoice = { readonly number: string | null; readonly url: string | null };

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
  /** The price without value added tax. Null exactly if `vat_cents` is null. */
  readonly supply_cents: number | null;
  readonly vat_cents: number | null;
  readonly receipt_url: string | null;
  /** The subscription that the order started or renewed. */
  readonly subscription_name: Localized | null;
  readonly items: readonly OrderItem[];
  /** Absent if no payment provider reported the order, and in orders older than this field. */
  readonly source?: OrderSource | undefined;
  /**
   * The billing details and the invoice from the provider, and the single tax rate in percent; absent if the provider
   * reported none.
   */
  readonly billing?: BillingDetails | undefined;
  readonly invoice?: ProviderInvoice | undefined;
  readonly vat_rate?: string | undefined;
  /** True for a test, in which no money moved: it gives what it sold, and is not counted in the sums of sales. */
  readonly test?: boolean | undefined;
  /** True once it was paid and then counted as unpaid: its next payment is told to nobody. */
  readonly was_paid?: boolean | undefined;
  /** In chronological order; absent if nothing was refunded. */
  readonly refunds?: readonly Refund[] | undefined;
  /** Absent if the buyer has not withdrawn. It can't be undone. */
  readonly withdrawal?: OrderWithdrawal | undefined;
};

/** True for an order that nobody has paid for, so it has no receipt. */
export const isNeverPaid = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'pending' || status === 'cancelled';

/** The order with the mark of one that was paid before (`was_paid`). */
export const withPaidMark = (order: Order, before: Order | undefined): Order =>
  before?.was_paid || (before && before.paid_at !== null && order.paid_at === null)
    ? { ...order, was_paid: true }
    : order;

/** The statuses of an unpaid or refunded order. */
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

/** The newest orders first. Of two orders of the same time, the one with the higher id comes first. */
export const ORDERS: ListOrder<Order> = { place: ({ ordered_at, id }) => placeOf(ordered_at, id), highestFirst: true };

export const newestOrdersFirst = (orders: readonly Order[]): Order[] => inOrder(orders, ORDERS);

/** The products that an order gave, from its lines, entitlements and subscription. */
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

/** The name of a line that is not a product and has no text. */
export const OTHER_LINE = { en: 'Shipping, fees and rounding', ko: '배송비, 수수료 및 단수 차액' };

/**
 * The order of an erased account, without data that may name the buyer: the billing details, the links to the receipt
 * and the invoice, refund reasons and line texts.
 */
export const erasedOrder = ({ billing: _, ...order }: Order): Order => ({
  ...order,
  receipt_url: null,
  ...(order.invoice && { invoice: { ...order.invoice, url: null } }),
  items: order.items.map((item) => (item.product_id === null ? { ...item, product_name: OTHER_LINE } : item)),
  ...(order.refunds && { refunds: order.refunds.map((refund) => ({ ...refund, reason: null })) }),
});
