import { agents } from '../../composition/areas/access.ts';
import { gallery } from '../../composition/areas/design/gallery.ts';
import { signing } from '../../composition/areas/policy.ts';
import { shopLook, shopNotices, shopProducts, shopSupport } from '../../composition/areas/shop-products.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { support } from '../../composition/areas/support.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on products, releases, the shop’s face and keys, and what users of products report. */
export const serve = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [
    shopProducts,
    shopLook,
    shopNotices,
    shopSupport,
    agents,
    gallery,
    signing,
    storeDocument,
    support,
  ]);
