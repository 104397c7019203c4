import { shopSalesHandlers } from '../../../adapters/pipeline/handlers/shop/sales.ts';
import { agents, keys } from '../../composition/areas/access.ts';
import { gallery } from '../../composition/areas/design/gallery.ts';
import { payments, sales } from '../../composition/areas/sales.ts';
import { shopProducts } from '../../composition/areas/shop-products.ts';
import { shopOrders, shopSearch } from '../../composition/areas/shop-sales.ts';
import { signIn } from '../../composition/areas/sign-in.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { sums } from '../../composition/areas/sums.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on orders, subscriptions and the events of payment providers. */
export const serve = (settings: Settings, engines: Engines): object =>
  bootstrap(settings, engines, [
    shopOrders,
    shopSearch,
    shopSalesHandlers,
    shopProducts,
    gallery,
    storeDocument,
    agents,
    keys,
    payments,
    sales,
    signIn,
    sums,
  ]);
