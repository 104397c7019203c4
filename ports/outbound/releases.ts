import type { Release } from '../../domain/delivery/release.ts';
import type { VersionOrder, VersionScheme } from '../../domain/delivery/version-order.ts';

export interface Releases {
  /** The releases of each product; may be as old as the composition allows (at most 30 seconds). */
  of(productIds: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>>;
  /** The product that a release belongs to, which never changes; undefined where there is no such release. */
  productOf(releaseId: number): Promise<number | undefined>;
}

/** A release as it was read, past any cache. */
export type ReadRelease = {
  readonly release: Release | undefined;
  readonly version: string | null;
  /** Stands for the product's releases together: another one once any of them was saved. */
  readonly ledger: string | null;
};

/** The writing side, for publishing. */
export interface ReleaseEditor {
  /** The product's release of a version. */
  read(productId: number, version: string): Promise<ReadRelease>;
  /** All releases of the product, past any cache; read after a release, they are those that `save` holds on to. */
  released(productId: number): Promise<readonly Release[]>;
  /** Writes the release; false where it, or any other of its product, was saved since it was read. */
  save(release: Release, read: ReadRelease): Promise<boolean>;
}

export interface Versions {
  order(scheme: VersionScheme): VersionOrder;
}
