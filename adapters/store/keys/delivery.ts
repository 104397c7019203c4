import type { Release } from '../../../domain/delivery/release.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, padded, productPartition, SUPPLY } from './shared.ts';

export type ReleaseOwner = { readonly product_id: number; readonly version: string };

/** The last saved release of a product. Each save writes it, so its version tells whether any release changed. */
export type ReleaseLedger = { readonly release_id: number };

/** The releases of a product that the public supply shows; null if they exceed the size of an item. */
export type ProductSupply = { readonly product_id: number; readonly releases: readonly Release[] | null };

/** Keys of a product's releases, and of all releases for the public supply status. */
export const deliveryKeys = {
  releases: (product_id: number): Partition<Release> => ({ pk: productPartition(product_id), prefix: 'RELEASE#' }),
  release: (product_id: number, version: string) => keyIn<Release>(productPartition(product_id), `RELEASE#${version}`),
  ledger: (product_id: number): KeyOf<ReleaseLedger> => ({ pk: productPartition(product_id), sk: 'LEDGER' }),
  owner: (release_id: number): KeyOf<ReleaseOwner> => ({ pk: `RELEASE#${release_id}`, sk: 'RELEASE' }),
  supply: (product_id: number): KeyOf<ProductSupply> => ({ pk: SUPPLY, sk: padded(product_id) }),
};
