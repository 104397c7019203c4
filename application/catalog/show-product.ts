import type { Product } from '../../domain/catalog/product.ts';
import type { Access } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { Clearance } from '../shared/steps.ts';
import { productView } from './product-views.ts';

export type Ports = { catalogs: Catalogs };

/** One product of the catalog (ProductApiData of the specification). */
export const showProduct =
  ({ catalogs }: Ports) =>
  async ({ product, locale }: { product: Product; locale: Locale }) => {
    const catalog = await catalogs.current();
    return async ({ access }: Clearance<Access>) =>
      ok({ product: productView(product, catalog, locale, access.granted) });
  };

export type ShowProduct = ReturnType<typeof showProduct>;
