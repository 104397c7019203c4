import type { Release } from '../../domain/delivery/release.ts';
import type { VersionOrder, VersionScheme } from '../../domain/delivery/version-order.ts';

export interface Releases {
  /** The releases of each product; may be as old as the composition allows (at most 30 seconds). */
  of(productIds: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>>;
  /** The product that a release belongs to, which never changes; undefined where there is no such release. */
  productOf(releaseId: number): Promise<number | undefined>;
}

/** A release as it was read, past any cache. */
export type ReadRelease = { readonly release: Release | undefined; readonly version: string | null };

/** The writing side, for publishing. */
export interface ReleaseEditor {
  /** The product's release of a version. */
  read(productId: number, version: string): Promise<ReadRelease>;
  /** Writes the release; false where it has changed since it was read. */
  save(release: Release, read: ReadRelease): Promise<boolean>;
}

export interface Versions {
  order(scheme: VersionScheme): VersionOrder;
}
