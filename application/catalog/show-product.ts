import type { Product } from '../../domain/catalog/product.ts';
import type { Access } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import { productView } from './product-views.ts';

export type Ports = { catalogs: Catalogs };

/** One product of the catalog (ProductApiData of the specification). */
export const showProduct =
  ({ catalogs }: Ports) =>
  async ({ product, access, locale }: { product: Product; access: Promise<Access>; locale: Locale }) => {
    const [catalog, { granted }] = await Promise.all([catalogs.current(), access]);
    return { product: productView(product, catalog, locale, granted) };
  };

export type ShowProduct = ReturnType<typeof showProduct>;
