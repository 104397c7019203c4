import { hostRoutes } from '../../adapters/http/api.ts';
import { hostApp } from '../../adapters/http/app.ts';
import { jwksRouter } from '../../adapters/http/jwks.ts';
import { buffered } from './buffered.ts';
import { open } from './open.ts';

const { service, options, spool } = await open('api', process.env);

/** The API host, but for what streams files (downloads.ts) and the reference (reference.ts). */
export const handler = buffered(
  hostApp(
    [hostRoutes('api', service.get('invoker'), spool), jwksRouter(() => service.get('listVerificationKeys').execute())],
    options,
  ),
);
