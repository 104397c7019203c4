import { streamed } from '../../adapters/lambda-events/host-function.ts';
import { catalog } from '../composition/areas/catalog.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { open } from './open.ts';

const { streamingHost, downloads } = await open('downloads', process.env, (settings, engines) =>
  bootstrap(settings, engines, [catalog, delivery]),
);

/** The endpoints of the API host that return a file of any size: the bundle and the content assets. */
export const handler = streamed(streamingHost('api', downloads ? [downloads] : []));
