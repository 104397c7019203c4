import type { Instant } from '../shared/instant.ts';
import type { Subscription } from './subscription.ts';

/** The ways in which an account gets an entitlement. */
export const GRANT_TYPES = ['purchase', 'bundle', 'subscription', 'promotion', 'gift', 'grant'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A right to one product, from an order, from a bundle, or from the operator. */
export type Entitlement = {
  readonly id: number;
  readonly account_id: number;
  readonly product_id: number;
  /** The bundle product whose purchase brought this entitlement; null for a direct one. */
  readonly source_product_id: number | null;
  readonly order_id: number | null;
  readonly order_item_id: number | null;
  readonly grant_type: GrantType;
  /** The number of units bought; each unit adds `device_limit` devices. */
  readonly source_quantity: number;
  /** Devices per unit; null takes the product's limit. */
  readonly device_limit: number | null;
  readonly granted_at: Instant;
  readonly revoked_at: Instant | null;
  readonly access_expires_at: Instant | null;
  /** Releases after this moment are not covered; null covers all. */
  readonly updates_supported_until: Instant | null;
};

/** The entitlements and subscriptions of an account, all of them or those that the caller asked for. */
export type Holdings = {
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
};
