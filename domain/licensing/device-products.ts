import type { Bundle, Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { accessTo } from './access.ts';
import type { Holdings } from './entitlement.ts';

/** A product of which an account has devices, or may have some. */
export type DeviceProduct = {
  readonly product: Product;
  /** Null is no limit; 0 where the account's access to the product has ended. */
  readonly device_limit: number | null;
  /** The number of devices that hold a slot. */
  readonly used: number;
};

/**
 * The products of `asked` that the account may use, and those of which it has devices. A product that only stands for a
 * bundle has no devices and is left out. `held` is the number of taken slots by product id.
 */
export const deviceProducts = (
  asked: readonly Product[],
  bundles: readonly Bundle[],
  holdings: Holdings,
  held: ReadonlyMap<number, number>,
  now: Instant,
): DeviceProduct[] =>
  asked.flatMap((product) => {
    const used = held.get(product.id) ?? 0;
    const access = accessTo(product, bundles, holdings, now);
    const isBundle = bundles.some(({ product_id }) => product_id === product.id);
    if (used === 0 && (isBundle || !access.granted)) return [];
    return [{ product, device_limit: access.granted ? access.device_limit : 0, used }];
  });
