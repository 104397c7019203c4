import type { Area, Complete, NeededBy } from '../../runtimes/composition/area.ts';
import type { Base, PartsWith } from '../../runtimes/composition/areas/all-areas.ts';
import type { Overrides, Service } from '../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { type Contents, put } from './contents.ts';
import { aClock, countedIds, noPauses } from './fakes.ts';
import { memoryEngines, SETTINGS } from './memory-engines.ts';

/* Creates services for tests of use cases, with only the areas of those use cases. */

/** No builder assigns an id from here on. */
const FIRST_ID = 1001;

/**
 * A service in memory with the areas of a test. Its clock shows `clock.at`, initially NOW, until the test sets it;
 * nothing waits, and parts can be replaced by name.
 */
export const aStore = async <const A extends readonly Area[]>(
  areas: A & Complete<PartsWith<A>, NeededBy<[...Base, ...A]>>,
  contents: Contents = {},
  overrides: Overrides = {},
) => {
  const clock = aClock();
  const engines = memoryEngines();
  const parts = { clock, ids: countedIds(FIRST_ID), pauses: noPauses, ...overrides };
  const service = bootstrap<A>(SETTINGS, engines, areas, parts);
  const putMore = (more: Contents): Promise<void> => put(service as unknown as Service<PartsWith<[]>>, more);
  await putMore(contents);
  return {
    get: service.get,
    clock,
    put: putMore,
    /** Everything stored, to compare before and after. */
    entries: async () => (await engines.table.dump(0)).entries,
  };
};
