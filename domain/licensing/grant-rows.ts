import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import type { Entitlement, Holdings } from './entitlement.ts';
import { entitlementStatus, type GrantStatus, grantStatus } from './grant-status.ts';
import { accessEnd, type Subscription } from './subscription.ts';

/** A grant of either kind, as the operator is shown it. */
export type GrantRow = {
  readonly kind: 'entitlement' | 'subscription';
  readonly id: number;
  readonly status: GrantStatus;
  /** The products that the grant names, by slug, or by id where there is no such product any more. */
  readonly products: readonly string[];
  /** How the account came to it: the type of the grant, its bundle and its order. */
  readonly why: string;
  readonly granted_at: Instant;
  /** The end of access, of a subscription with its grace period; null is for good. */
  readonly access_expires_at: Instant | null;
  readonly updates_supported_until: Instant | null;
  readonly revoked_at: Instant | null;
  readonly order_id: number | null;
  /** Devices of each unit; null takes the product's limit. */
  readonly device_limit: number | null;
  readonly units: number;
};

export type Products = ReadonlyMap<number, Product>;

const slugOf = (products: Products, id: number): string => products.get(id)?.slug ?? String(id);

const withOrder = (why: string, orderId: number | null): string =>
  orderId === null ? why : `${why}, order ${orderId}`;

const entitlementRow = (entitlement: Entitlement, products: Products, now: Instant): GrantRow => {
  const { id, grant_type, source_product_id, order_id } = entitlement;
  const source = source_product_id === null ? grant_type : `${grant_type} of ${slugOf(products, source_product_id)}`;
  return {
    kind: 'entitlement',
    id,
    status: entitlementStatus(entitlement, now),
    products: [slugOf(products, entitlement.product_id)],
    why: withOrder(source, order_id),
    granted_at: entitlement.granted_at,
    access_expires_at: entitlement.access_expires_at,
    updates_supported_until: entitlement.updates_supported_until,
    revoked_at: entitlement.revoked_at,
    order_id,
    device_limit: entitlement.device_limit,
    units: entitlement.source_quantity,
  };
};

const subscriptionRow = (subscription: Subscription, products: Products, now: Instant): GrantRow => {
  const { id, starts_at, ends_at, cancelled_at, device_limit, billing } = subscription;
  const end = accessEnd(subscription);
  const order_id = billing?.order_id ?? null;
  return {
    kind: 'subscription',
    id,
    status: grantStatus({ starts_at, access_expires_at: end, revoked: false }, now),
    products: subscription.product_ids.map((productId) => slugOf(products, productId)),
    why: withOrder(cancelled_at === null ? 'subscription' : 'cancelled subscription', order_id),
    granted_at: starts_at,
    access_expires_at: end,
    updates_supported_until: ends_at,
    revoked_at: null,
    order_id,
    device_limit,
    units: 1,
  };
};

/** The grants of an account, newest first. */
export const grantRows = ({ entitlements, subscriptions }: Holdings, products: Products, now: Instant): GrantRow[] =>
  [
    ...entitlements.map((one) => entitlementRow(one, products, now)),
    ...subscriptions.map((one) => subscriptionRow(one, products, now)),
  ].sort((a, b) => (a.granted_at < b.granted_at ? 1 : a.granted_at > b.granted_at ? -1 : b.id - a.id));
