import { buffered } from '../../adapters/lambda-events/buffered.ts';
import { lateHost } from '../../adapters/lambda-events/late-host.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { open } from './open.ts';

/** The areas that the function starts with. */
const FIRST_AREAS = [licensing] as const;

const { service, host, options } = await open('api', process.env, (settings, engines) => {
  const first = bootstrap(settings, engines, FIRST_AREAS);
  const whole = async () => (await import('./whole-api.ts')).wholeApi(settings, engines, FIRST_AREAS, first);
  return { ...first, whole };
});

/**
 * The API host without the endpoints that stream files (downloads.ts) and without the reference (reference.ts). The
 * endpoints of licenses, which every copy of every product calls, do not wait for the code of the others.
 */
export const handler = buffered(
  lateHost(
    host('api'),
    async () => {
      const whole = await service.whole();
      return host('api', whole.beside, whole.service);
    },
    { ...options, openTo: service.get('addresses').corsOrigins },
  ),
);
