import type { Instant } from '../shared/instant.ts';
import type { Subscription } from './subscription.ts';

/** How an account came to an entitlement. */
export const GRANT_TYPES = ['purchase', 'bundle', 'subscription', 'promotion', 'gift', 'grant'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A right to one product, from an order, a bundle, or given by the operator. */
export type Entitlement = {
  readonly id: number;
  readonly account_id: number;
  readonly product_id: number;
  /** The bundle product whose purchase brought this one. */
  readonly source_product_id: number | null;
  readonly order_id: number | null;
  readonly order_item_id: number | null;
  readonly grant_type: GrantType;
  /** How many were bought; each brings its own devices. */
  readonly source_quantity: number;
  /** Devices per unit; null takes the product's own limit. */
  readonly device_limit: number | null;
  readonly granted_at: Instant;
  readonly revoked_at: Instant | null;
  readonly access_expires_at: Instant | null;
  /** Releases after this moment are not covered; null covers all. */
  readonly updates_supported_until: Instant | null;
};

/** All that an account has been granted, as far as it was asked for. */
export type Holdings = {
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
};
