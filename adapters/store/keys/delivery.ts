import type { Release } from '../../../domain/delivery/release.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, padded, productPartition, SUPPLY } from './shared.ts';

export type ReleaseOwner = { readonly product_id: number; readonly version: string };

/** The last saved release of a product. Each save writes it, so its version tells whether any release changed. */
export type ReleaseLedger = { readonly release_id: number };

/** The releases of a product that the public supply can show; null where they are too large for an item. */
export type ProductSupply = { readonly product_id: number; readonly releases: readonly Release[] | null };

/** Where the releases of a product lie, and those of all products for the public supply. */
export const deliveryKeys = {
  releases: (productId: number): Partition<Release> => ({ pk: productPartition(productId), prefix: 'RELEASE#' }),
  release: (productId: number, version: string) => keyIn<Release>(productPartition(productId), `RELEASE#${version}`),
  ledger: (productId: number): KeyOf<ReleaseLedger> => ({ pk: productPartition(productId), sk: 'LEDGER' }),
  owner: (releaseId: number): KeyOf<ReleaseOwner> => ({ pk: `RELEASE#${releaseId}`, sk: 'RELEASE' }),
  supply: (productId: number): KeyOf<ProductSupply> => ({ pk: SUPPLY, sk: padded(productId) }),
};
