import { hostRoutes } from '../../adapters/http/api.ts';
import { hostApp } from '../../adapters/http/app.ts';
import { buffered } from './buffered.ts';
import { open } from './open.ts';

const { service, options } = await open('app', process.env);

/** The app host. */
export const handler = buffered(hostApp([hostRoutes('app', service.get('invoker'))], options));
