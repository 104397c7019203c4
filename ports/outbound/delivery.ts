import type { Permit } from '../../domain/access/permit.ts';
import type { VersionScheme } from '../../domain/catalog/product.ts';
import type { Appcast } from '../../domain/delivery/appcast.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { VersionOrder } from '../../domain/delivery/version-order.ts';

export interface Releases {
  /** The releases of each product. The composition bounds the age of their cache, to 30 seconds at most. */
  of(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>>;
  /** The product of a release, which never changes; undefined if the release does not exist. */
  productOf(release_id: number): Promise<number | undefined>;
}

export interface Supplies {
  /**
   * The releases of these products that affect the supply status from now on (`supplyReleases`), with the same maximum
   * age as the releases. The map may contain other products. It is the same object until something changes.
   */
  of(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>>;
}

/** A release as read, bypassing every cache. */
export type ReadRelease = {
  readonly release: Release | undefined;
  readonly version: string | null;
  /** The version of all releases of the product. It changes whenever one of them is saved. */
  readonly ledger: string | null;
};

/** Writes releases, for publishing. */
export interface ReleaseEditor {
  /** The product's release of a version; `release` is undefined if there is none. */
  read(product_id: number, version: string): Promise<ReadRelease>;
  /**
   * All releases of the product, bypassing every cache. If they are read after `read`, `save` verifies that they are
   * unchanged.
   */
  released(product_id: number): Promise<readonly Release[]>;
  /** Writes the release. Returns false and writes nothing if any release of its product was saved since the read. */
  save(permit: Permit, release: Release, read: ReadRelease): Promise<boolean>;
}

export interface Versions {
  order(scheme: VersionScheme): VersionOrder;
}

/** Writes a feed in the XML form that Sparkle 2 reads. */
export interface AppcastWriter {
  /** Well-formed XML 1.0 in UTF-8, for any texts of the feed. Equal feeds give equal XML. */
  write(feed: Appcast): Promise<string>;
}
