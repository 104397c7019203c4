import { hostRoutes } from '../../adapters/http/api.ts';
import { hostApp } from '../../adapters/http/app.ts';
import { open } from './open.ts';
import { streamed } from './streamed.ts';

const { service, options, spool, downloads } = await open('downloads', process.env);
const routers = [hostRoutes('api', service.get('invoker'), spool), ...(downloads ? [downloads] : [])];

/** What the API host answers with a file of any size: the bundle and the content assets. */
export const handler = streamed(hostApp(routers, options));
