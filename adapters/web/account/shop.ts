import type { Catalog } from '../../../domain/catalog/catalog.ts';
import type { Catalogs } from '../../../ports/outbound/catalog.ts';

export type Shop = Pick<Catalog, 'storefront' | 'disclosure'>;

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
    const { storefront, disclosure } = await this.#catalogs.current();
    this.#last = { storefront, disclosure };
    return this.#last;
  }
}
