import { gallery } from '../../composition/areas/design/gallery.ts';
import { shopKeys } from '../../composition/areas/shop-accounts.ts';
import { shopProducts } from '../../composition/areas/shop-products.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';
import { ACCOUNTS } from './accounts.ts';

/** The service of commands on what accounts have of products. */
export const serve = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [...ACCOUNTS, shopKeys, shopProducts, gallery, storeDocument]);
