/**
 * A price of a payment provider that sells a product, with the terms that a buyer gets. A subscription to several apps
 * has one price, which each of its products names.
 */
export type Price = {
  /** The provider, such as `stripe`, `paddle`, or `shop` for the shop's own system. */
  readonly provider: string;
  /** The provider's id of the price. */
  readonly id: string;
  /** Devices of each unit; null takes the product's own limit. */
  readonly device_limit: number | null;
  /** Days of access after the payment; null is for good. */
  readonly access_days: number | null;
  /** Days after the payment whose releases are covered; null covers all. */
  readonly updates_days: number | null;
  /** Days after the end of a paid period in which a failed renewal can still succeed. */
  readonly grace_days: number;
  /** The plan of a subscription to the store's apps; null for any other. */
  readonly apps: { readonly tier: string; readonly features: readonly string[] } | null;
};
