import type { Area } from './area.ts';
import { baseOf } from './bootstrap.ts';
import type { Engines, Settings } from './engine-settings.ts';
import type { PartsWith } from './parts.ts';
import type { Overrides, Service } from './service.ts';

/** The parts that depend on which areas a service has. */
const OF_THE_AREAS: readonly string[] = ['handle', 'invoker'];

/**
 * The parts that a service takes from one of the same process, which was built with `areas`. Both have the same caches,
 * counters, ids and bounds, because every part of the first is also a part of the second.
 */
export const sharedParts = <const A extends readonly Area[]>(
  settings: Settings,
  engines: Engines,
  areas: A,
  first: Service<PartsWith<A>>,
): Overrides => {
  const all: readonly Area[] = [...baseOf(settings, engines), ...areas];
  const names = all.flatMap(({ parts }) => Object.keys(parts)).filter((name) => !OF_THE_AREAS.includes(name));
  return Object.fromEntries(names.map((name) => [name, first.get(name as keyof PartsWith<A>)]));
};
