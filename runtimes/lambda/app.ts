import { hostRoutes } from '../../adapters/http/api.ts';
import { hostApp } from '../../adapters/http/app.ts';
import { openTo } from '../../adapters/http/cross-origin.ts';
import { buffered } from './buffered.ts';
import { open } from './open.ts';

const { service, urls, options, spool } = await open('app', process.env);

/** The app host. */
export const handler = buffered(hostApp([openTo(urls.api), hostRoutes('app', service.get('invoker'), spool)], options));
