import { EVERY_AREA } from '../../composition/areas/all-areas.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The service of commands that are not in the table of services. */
export const serve = (settings: Settings, engines: Engines): object => bootstrap(settings, engines, EVERY_AREA);
