import { CALL_AREAS, type CallParts } from './areas/calls.ts';
import { EVERY_AREA } from './areas/everything.ts';
import { bootstrap } from './bootstrap.ts';
import type { Engines, Settings } from './engine-settings.ts';
import type { Overrides, Service } from './service.ts';
import { sharedParts } from './shared-parts.ts';

/**
 * The service with every area, beside one of the same process that answers calls, whose parts it shares. `overrides`
 * are those of both. Throws RangeError for an override of a part that there is not.
 */
export const wholeService = (
  settings: Settings,
  engines: Engines,
  calls: Service<CallParts>,
  overrides: Overrides = {},
): Service => {
  const shared = sharedParts(settings, engines, CALL_AREAS, calls);
  const service = bootstrap(settings, engines, EVERY_AREA, { ...overrides, ...shared });
  for (const name of Object.keys(overrides) as (keyof Overrides)[]) {
    // A misspelt name would leave our part in force.
    if (overrides[name] !== service.get(name))
      throw new RangeError(`No part is named "${name}", so nothing overrides it.`);
  }
  return service;
};
