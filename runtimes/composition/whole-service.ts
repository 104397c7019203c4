import { CALL_AREAS, type CallParts } from './areas/calls.ts';
import { EVERY_AREA } from './areas/everything.ts';
import { bootstrap } from './bootstrap.ts';
import type { Engines, Settings } from './engine-settings.ts';
import type { Service } from './service.ts';
import { sharedParts } from './shared-parts.ts';

/** The service with every area, beside one of the same process that answers calls, whose parts it shares. */
export const wholeService = (settings: Settings, engines: Engines, calls: Service<CallParts>): Service =>
  bootstrap(settings, engines, EVERY_AREA, sharedParts(settings, engines, CALL_AREAS, calls));
