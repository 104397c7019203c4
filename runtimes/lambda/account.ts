import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { addressBehind } from '../../adapters/http/carry.ts';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { accountApp } from '../composition/account-app.ts';
import { keys } from '../composition/areas/access-keys.ts';
import { erasure, ownAccount } from '../composition/areas/accounts.ts';
import { billing } from '../composition/areas/billing.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { oauth } from '../composition/areas/sign-in-records.ts';
import { support } from '../composition/areas/support.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { isHealth } from '../composition/hosts.ts';
import { withSecrets } from '../composition/secret-variables.ts';
import { open } from './open.ts';

const { service, urls, options, spool, host } = await open(
  'account',
  await withSecrets(process.env),
  (settings, engines) =>
    bootstrap(settings, engines, [
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

// The address that the gateway names stands in the place of the socket's own.
const app = expressApp(accountApp({ service, urls, options, spool, addressOf: addressBehind([]) }));
const health = buffered(host('account'));

/** The account host: its pages and the authorization server. */
export const handler = (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> =>
  isHealth(event.path) ? health(event) : app(event, context);
