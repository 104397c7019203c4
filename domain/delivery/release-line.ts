import { type Platform, productPlatforms } from '../catalog/platform.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { isOffered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/**
 * The releases of one product as clients see them at one moment. Whatever is offered to a client is chosen from here,
 * so that nothing offers a withdrawn release or one that is not out yet.
 */
export type ReleaseLine = {
  /** Newest first. */
  readonly offered: readonly Release[];
  /** The releases that were out and were taken back. */
  readonly withdrawn: readonly Release[];
  /** The platforms that the product runs on. */
  readonly platforms: readonly Platform[];
  readonly order: VersionOrder;
};

/** The line of a product, made of all its releases. */
export const releaseLine = (
  product: Pick<Product, 'platforms' | 'delivery'>,
  releases: readonly Release[],
  now: Instant,
  order: VersionOrder,
): ReleaseLine => ({
  offered: releases.filter((release) => isOffered(release, now)).sort(newestFirst(order)),
  withdrawn: releases.filter(({ withdrawn, released_at }) => withdrawn !== undefined && released_at <= now),
  platforms: productPlatforms(product),
  order,
});

/** The answer to a client that names a withdrawn release. */
export const withdrawnMessage = ({ version, withdrawn }: Release): string => {
  const reason = withdrawn?.reason ?? 'no reason is known';
  return `Version ${version} was withdrawn: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
};
