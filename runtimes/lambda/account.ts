import { isHealth } from '../../adapters/host/addresses.ts';
import { hostApp } from '../../adapters/http/host-app.ts';
import { gatewayAddress as addressOf, expressApp } from '../../adapters/lambda-events/express-app.ts';
import { accountApp } from '../composition/account-app.ts';
import { keys } from '../composition/areas/access.ts';
import { accountPages } from '../composition/areas/account-pages.ts';
import { erasure, ownAccount } from '../composition/areas/accounts.ts';
import { billing } from '../composition/areas/billing.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { oauth } from '../composition/areas/sign-in-records.ts';
import { support } from '../composition/areas/support.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { withSecrets } from '../configuration/secret-variables.ts';
import { open } from './open.ts';

const { service, urls, options, spool, host } = await open(
  'account',
  await withSecrets(process.env),
  (settings, engines) =>
    bootstrap(settings, engines, [
      accountPages,
      billing,
      catalog,
      delivery,
      erasure,
      keys,
      licensing,
      oauth,
      ownAccount,
      signIn,
      support,
    ]),
);

const pages = accountApp({ service, urls, options, spool, addressOf });

/** The account host: its health, its pages and the authorization server, in the same Express app as `npm start`. */
export const handler = expressApp(
  hostApp(host('account'), options, addressOf, { has: (path) => !isHealth(path), load: async () => pages }),
);
