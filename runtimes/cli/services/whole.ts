import { EVERY_AREA } from '../../composition/areas/everything.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/engine-settings.ts';
import type { Service } from '../../composition/service.ts';

export const wire = (settings: Settings, engines: Engines): Service => bootstrap(settings, engines, EVERY_AREA);
