import { shopKeysHandlers } from '../../../adapters/pipeline/handlers/shop/keys.ts';
import { gallery } from '../../composition/areas/design/gallery.ts';
import { shopProducts } from '../../composition/areas/shop-products.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';
import { ACCOUNTS } from './accounts.ts';

/** The areas of accounts and of what they have of products. */
export const LICENSES = [...ACCOUNTS, shopKeysHandlers, shopProducts, gallery, storeDocument] as const;

/** The service of commands on what accounts have of products. */
export const serve = (settings: Settings, engines: Engines): object => bootstrap(settings, engines, LICENSES);
