import type { ApiKey } from '../../domain/access/api-key.ts';
import { isInScope } from '../../domain/access/gates.ts';
import { type BrowseWish, browse } from '../../domain/catalog/browse.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import { productView } from './product-views.ts';

type Ports = { catalogs: Catalogs; licenses: Licenses; clock: Clock };

/** The products on sale that match, each with whether the account may use it. */
export class ListProducts {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, wish, locale }: { key: ApiKey; wish: BrowseWish; locale: Locale }) {
    const { catalogs, licenses, clock } = this.#ports;
    const [catalog, holdings] = await Promise.all([catalogs.current(), licenses.held(key.account_id)]);
    const now = clock.now();
    return {
      products: browse(catalog, wish, locale)
        .filter((product) => isInScope(key, product.id))
        .map((product) =>
          productView(product, catalog, locale, accessTo(product, catalog.bundles, holdings, now).granted),
        ),
    };
  }
}
