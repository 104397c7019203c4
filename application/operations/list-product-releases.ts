import { type Release, type ReleaseState, releaseState } from '../../domain/delivery/release.ts';
import { newestFirst } from '../../domain/delivery/version-order.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindProduct } from './find-product.ts';

export type Ports = Needs<'clock' | 'releaseEditor' | 'versions'> & { findProduct: FindProduct };

export type ListedRelease = Release & { readonly state: ReleaseState };

/** All releases of a product for its operator, newest first: also those that clients are not offered. */
export const listProductReleases =
  ({ findProduct, releaseEditor, versions, clock }: Ports) =>
  async (named: string): Promise<Outcome<ListedRelease[], 'product_not_found'>> => {
    const found = await findProduct(named);
    if (!found.ok) return found;
    const { id, version_scheme } = found.value;
    const now = clock.now();
    const released = [...(await releaseEditor.released(id))].sort(newestFirst(versions.order(version_scheme)));
    return ok(released.map((release) => ({ ...release, state: releaseState(release, now) })));
  };

export type ListProductReleases = ReturnType<typeof listProductReleases>;
