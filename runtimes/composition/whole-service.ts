import type { Area } from './area.ts';
import { access } from './areas/access.ts';
import { CALL_AREAS, type CallParts } from './areas/calls.ts';
import { EVERY_AREA } from './areas/everything.ts';
import { outside } from './areas/outside.ts';
import { storage } from './areas/storage.ts';
import { bootstrap } from './bootstrap.ts';
import type { Engines, Settings } from './engine-settings.ts';
import type { Service } from './service.ts';

/** The parts that depend on which areas a service has. */
const OF_THE_AREAS: readonly string[] = ['handle', 'invoker'];

/**
 * The service with every area, beside one of the same process that answers calls. Both have the same caches, counters and
 * bounds, because every part of the first is also a part of the second.
 */
export const wholeService = (settings: Settings, engines: Engines, calls: Service<CallParts>): Service => {
  const areas: readonly Area[] = [outside(engines, settings), storage(settings.catalogAge), access, ...CALL_AREAS];
  const names = areas.flatMap(({ parts }) => Object.keys(parts)).filter((name) => !OF_THE_AREAS.includes(name));
  const shared = names.map((name) => [name, calls.get(name as keyof CallParts)]);
  return bootstrap(settings, engines, EVERY_AREA, Object.fromEntries(shared));
};
