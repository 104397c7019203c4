import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { addressBehind } from '../../adapters/http/node-listener.ts';
import { buffered } from '../../adapters/lambda-events/buffered.ts';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { accountApp } from '../composition/account-app.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { keys } from '../composition/areas/keys.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { oauth } from '../composition/areas/oauth.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { isHealth } from '../composition/hosts.ts';
import { open } from './open.ts';
import type { Environment } from './open-runtime.ts';

/**
 * The environment with the secret of the upstream provider's client, which the secret named by
 * `UPSTREAM_CLIENT_SECRET_ARN` holds. It is read once, when an instance starts, by a client that is loaded only for it.
 */
const withUpstreamSecret = async (env: Environment): Promise<Environment> => {
  const arn = env['UPSTREAM_CLIENT_SECRET_ARN'];
  if (!arn) return env;
  const { readSecret } = await import('../../adapters/secrets/secrets-manager.ts');
  return { ...env, UPSTREAM_CLIENT_SECRET: (await readSecret(arn)).trim() };
};

const { service, urls, options, host } = await open(
  'account',
  await withUpstreamSecret(process.env),
  (settings, engines) => bootstrap(settings, engines, [catalog, delivery, licensing, keys, signIn, oauth]),
);

// The address that the gateway names stands in the place of the socket's own.
const app = expressApp(accountApp({ service, urls, options, addressOf: addressBehind([]) }));
const health = buffered(host('account'));

/** The account host: its pages and the authorization server. */
export const handler = (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> =>
  isHealth(event.path) ? health(event) : app(event, context);
