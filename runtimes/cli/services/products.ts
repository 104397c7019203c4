import { shopLookHandlers } from '../../../adapters/pipeline/handlers/shop/look.ts';
import { shopNoticesHandlers } from '../../../adapters/pipeline/handlers/shop/notices.ts';
import { shopSupportHandlers } from '../../../adapters/pipeline/handlers/shop/support.ts';
import { agents } from '../../composition/areas/access.ts';
import { gallery } from '../../composition/areas/design/gallery.ts';
import { signing } from '../../composition/areas/policy.ts';
import { shopProducts } from '../../composition/areas/shop-products.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { support } from '../../composition/areas/support.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on products, releases, the shop’s face and keys, and what users of products report. */
export const serve = (settings: Settings, engines: Engines): object =>
  bootstrap(settings, engines, [
    shopProducts,
    shopLookHandlers,
    shopNoticesHandlers,
    shopSupportHandlers,
    agents,
    gallery,
    signing,
    storeDocument,
    support,
  ]);
