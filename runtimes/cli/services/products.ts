import { agents } from '../../composition/areas/access.ts';
import { gallery } from '../../composition/areas/design/gallery.ts';
import { shopProducts, shopSupport } from '../../composition/areas/shop-products.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { support } from '../../composition/areas/support.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on products, releases, and what their users report. */
export const serve = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [shopProducts, shopSupport, agents, gallery, storeDocument, support]);
