import { streamed } from '../../adapters/lambda-events/host-function.ts';
import { gallery } from '../composition/areas/design/gallery.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { galleryRoutes } from '../composition/hosts.ts';
import { open } from './open.ts';

const { service, streamingHost } = await open('media', process.env, (settings, engines) =>
  bootstrap(settings, engines, [gallery]),
);

/**
 * The files of the design host, which may exceed the size of a function's buffered response: images and saved pages.
 */
export const handler = streamed(streamingHost('design', galleryRoutes(service)));
