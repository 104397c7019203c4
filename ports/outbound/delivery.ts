import type { Permit } from '../../domain/access/permit.ts';
import type { VersionScheme } from '../../domain/catalog/product.ts';
import type { Appcast } from '../../domain/delivery/appcast.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { VersionOrder } from '../../domain/delivery/version-order.ts';

export interface Releases {
  /** The releases of each product. They may be cached as long as the composition allows, at most 30 seconds. */
  of(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>>;
  /** The product of a release, which never changes; undefined if there is no such release. */
  productOf(release_id: number): Promise<number | undefined>;
}

export interface Supplies {
  /**
   * The releases of these products that matter for the supply status from now on (`supplyReleases`), of the same age as
   * the releases. The map may contain other products. It is the same object while nothing changes.
   */
  of(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>>;
}

/** A release as it was read, past every cache. */
export type ReadRelease = {
  readonly release: Release | undefined;
  readonly version: string | null;
  /** The version of the product's releases together. It changes whenever one of them is saved. */
  readonly ledger: string | null;
};

/** The writing side, for publishing. */
export interface ReleaseEditor {
  /** The product's release of a version; `release` is undefined if there is none. */
  read(product_id: number, version: string): Promise<ReadRelease>;
  /**
   * All releases of the product, past every cache. If they are read after `read`, `save` verifies that they are
   * unchanged.
   */
  released(product_id: number): Promise<readonly Release[]>;
  /** Writes the release; false, with nothing written, if any release of its product was saved since it was read. */
  save(permit: Permit, release: Release, read: ReadRelease): Promise<boolean>;
}

export interface Versions {
  order(scheme: VersionScheme): VersionOrder;
}

/** Writes a feed in the XML form that Sparkle 2 reads. */
export interface AppcastWriter {
  /** Well-formed XML 1.0 in UTF-8, for any texts of the feed. The same feed gives the same text. */
  write(feed: Appcast): Promise<string>;
}
