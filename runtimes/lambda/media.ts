import { mediaRoute } from '../../adapters/host/media.ts';
import { streamed } from '../../adapters/lambda-events/streamed.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { open } from './open.ts';

const { service, host } = await open('media', process.env, (settings, engines) => bootstrap(settings, engines, []));

/** The files of the design host, which may be larger than a function answers in one piece. */
export const handler = streamed(host('design', [mediaRoute(service.get('objects'))]));
