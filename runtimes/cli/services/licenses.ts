import { agents, keys } from '../../composition/areas/access.ts';
import { erasure } from '../../composition/areas/accounts.ts';
import { gallery } from '../../composition/areas/design/gallery.ts';
import { shopAccounts, shopKeys } from '../../composition/areas/shop-accounts.ts';
import { shopProducts } from '../../composition/areas/shop-products.ts';
import { signIn } from '../../composition/areas/sign-in.ts';
import { oauth, passwordReset } from '../../composition/areas/sign-in-records.ts';
import { storeDocument } from '../../composition/areas/store-document.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands on what accounts have of products. */
export const serve = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [
    shopAccounts,
    shopKeys,
    shopProducts,
    gallery,
    storeDocument,
    agents,
    keys,
    erasure,
    signIn,
    oauth,
    passwordReset,
  ]);
