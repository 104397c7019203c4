import { productNamed } from '../../domain/catalog/catalog.ts';
import { IN_USE_DAYS, versionsInUse } from '../../domain/devices/versions-in-use.ts';
import { addDays, dayOf } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productMissing } from '../catalog/shop-products.ts';

/**
 * The versions of a product, or of each product, on the devices that were seen in the last 30 days (UTC).
 */
export const listVersionsInUse = ({ catalogs, clock, devices }: Needs<'catalogs' | 'clock' | 'devices'>) =>
  async function listVersionsInUse({ product: named }: { readonly product: string | null }) {
    const { products } = await catalogs.current();
    const one = named === null ? undefined : productNamed({ products }, named);
    if (named !== null && !one) return productMissing(named);
    const since = dayOf(addDays(clock.now(), 1 - IN_USE_DAYS));
    const counted = await Promise.all(
      (one ? [one] : [...products.values()]).map(async ({ id: product_id, slug }) => ({
        product_id,
        slug,
        ...versionsInUse(await devices.seenVersions(product_id, since)),
      })),
    );
    return ok({ since, products: counted.filter(({ devices: many }) => many > 0) });
  };
