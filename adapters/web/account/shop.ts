import { type Catalog, isSample } from '../../../domain/catalog/catalog.ts';
import type { Catalogs } from '../../../ports/outbound/catalog.ts';

export type Shop = Pick<Catalog, 'storefront' | 'disclosure'> & { readonly isSample?: boolean };

export const NO_SHOP: Shop = { storefront: null, disclosure: null };

/** Reads the shop, and remembers it for pages that are shown while the store is unavailable. */
export class ShopFace {
  readonly #catalogs: Pick<Catalogs, 'current'>;
  #last = NO_SHOP;

  constructor(catalogs: Pick<Catalogs, 'current'>) {
    this.#catalogs = catalogs;
  }

  get last(): Shop {
    return this.#last;
  }

  /** The shop as it was last read. The first call reads it, unless the store is out of order. */
  async known(): Promise<Shop> {
    return this.#last === NO_SHOP ? this.current().catch(() => this.#last) : this.#last;
  }

  async current(): Promise<Shop> {
    const catalog = await this.#catalogs.current();
    const { storefront, disclosure } = catalog;
    this.#last = { storefront, disclosure, isSample: isSample(catalog) };
    return this.#last;
  }
}
