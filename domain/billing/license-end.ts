import type { Bundle } from '../catalog/product.ts';
import { type Access, productsGranting } from '../licensing/access.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import { accessEnd } from '../licensing/subscription.ts';
import type { Instant } from '../shared/instant.ts';
import type { Order } from './order.ts';
import { takingRefund } from './refund.ts';

export type LicenseEnd = {
  readonly because: 'expired' | 'refunded' | 'disputed' | 'withdrawn' | 'revoked';
  /** Null if unknown. */
  readonly at: Instant | null;
  /** The refunded order; null if no order is known to be the reason. */
  readonly order: Pick<Order, 'id' | 'number'> | null;
  /** The page that renews the ended subscription; null if there is none. */
  readonly renewal_url: string | null;
};

const TAKEN = ['refunded', 'disputed', 'withdrawn'] as const;

const isTaken = (status: string): status is (typeof TAKEN)[number] => (TAKEN as readonly string[]).includes(status);

type Known = { readonly holdings: Holdings; readonly orders: readonly Order[]; readonly bundles: readonly Bundle[] };

/**
 * The end of a license through a refund of its order; undefined if the order still gives access. An imported order may
 * have only the status, without refunds: they ended the license when it was revoked.
 */
const endByOrder = (
  order: Order | undefined,
  item: number | null,
  revoked_at: Instant | null = null,
): Omit<LicenseEnd, 'renewal_url'> | undefined => {
  const refund = order && takingRefund(order, item);
  if (order && !order.refunds && isTaken(order.status)) {
    return { because: order.status, at: revoked_at, order: { id: order.id, number: order.number } };
  }
  if (!refund) return undefined;
  const isWithdrawn = order.status === 'withdrawn' || order.withdrawal !== undefined;
  const because = refund.kind === 'dispute' ? 'disputed' : isWithdrawn ? 'withdrawn' : 'refunded';
  return { because, at: refund.refunded_at, order: { id: order.id, number: order.number } };
};

const latest = <T>(all: readonly T[], at: (one: T) => Instant | null): T | undefined =>
  all.toSorted((a, b) => ((at(a) ?? '') < (at(b) ?? '') ? 1 : -1))[0];

/** The end of an account's license for a product that it can no longer use. */
export const licenseEnd = (
  product_id: number,
  access: Extract<Access, { granted: false }>,
  { holdings, orders, bundles }: Known,
): LicenseEnd => {
  const granting = productsGranting(product_id, bundles);
  const orderOf = (id: number | null | undefined) => orders.find((order) => order.id === id);
  if (access.reason !== 'access_expired') {
    const own = holdings.entitlements.filter((one) => granting.includes(one.product_id) && one.revoked_at !== null);
    const last = latest(own, (one) => one.revoked_at);
    const byOrder = endByOrder(orderOf(last?.order_id), last?.order_item_id ?? null, last?.revoked_at);
    return { ...(byOrder ?? { because: 'revoked', at: last?.revoked_at ?? null, order: null }), renewal_url: null };
  }
  const ended = holdings.subscriptions.find(
    (one) => one.product_ids.some((id) => granting.includes(id)) && accessEnd(one) === access.ended_at,
  );
  const order = orderOf(ended?.billing?.order_id);
  const item = order?.items.find((one) => one.product_id !== null && ended?.product_ids.includes(one.product_id));
  const byOrder = endByOrder(order, item?.id ?? null);
  if (byOrder?.at === access.ended_at) return { ...byOrder, renewal_url: null };
  return { because: 'expired', at: access.ended_at, order: null, renewal_url: ended?.billing?.renewal_url ?? null };
};
