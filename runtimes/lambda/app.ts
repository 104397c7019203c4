import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { rootRoute } from '../../adapters/web/root.ts';
import { billing } from '../composition/areas/billing.ts';
import { delivery } from '../composition/areas/delivery.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { open } from './open.ts';

const { host, urls } = await open('app', process.env, (settings, engines) =>
  bootstrap(settings, engines, [delivery, billing]),
);

/** The app host. */
export const handler = buffered(host('app', [rootRoute('app', urls)]));
