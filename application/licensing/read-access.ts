import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { type Access, accessTo, productsGranting } from '../../domain/licensing/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'licenses'>;

/** The access of an account to one product, read again at each call. */
export const readAccess =
  ({ licenses, clock }: Ports) =>
  async (accountId: number, product: Product, { bundles }: Pick<Catalog, 'bundles'>): Promise<Access> => {
    const holdings = await licenses.held(accountId, productsGranting(product.id, bundles));
    return accessTo(product, bundles, holdings, clock.now());
  };

export type ReadAccess = ReturnType<typeof readAccess>;
