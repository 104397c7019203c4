import { expect, test } from 'vitest';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { CALL_AREAS } from '../../runtimes/composition/areas/calls.ts';
import { licensing } from '../../runtimes/composition/areas/licensing.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { wholeService } from '../../runtimes/composition/whole-service.ts';
import { wholeApi } from '../../runtimes/lambda/whole-api.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';

const idsOf = (endpoints: readonly { readonly id: string }[]): string[] => endpoints.map(({ id }) => id).sort();

const services = () => {
  const engines = memoryEngines();
  const calls = bootstrap(SETTINGS, engines, CALL_AREAS);
  return { calls, whole: wholeService(SETTINGS, engines, calls) };
};

test('the service that answers calls has every endpoint of the API and app hosts', () => {
  const called = allEndpoints.filter(({ host, protocol }) => (host === 'api' || host === 'app') && !protocol);
  expect(idsOf(services().calls.get('endpoints'))).toEqual(idsOf(called));
});

test('the whole service beside it has every endpoint, and a handler for each', () => {
  const { whole } = services();
  const answered = idsOf(allEndpoints.filter(({ protocol }) => !protocol));
  expect(idsOf(whole.get('endpoints'))).toEqual(answered);
  expect(Object.keys(whole.get('handlers')).sort()).toEqual(answered);
});

const COMMON = [
  'catalogs',
  'releases',
  'limitRate',
  'jsonBodies',
  'ids',
  'policyKeys',
  'identify',
  'seatDevice',
] as const;

test('both services of a process have the same caches, counters, ids and bounds', () => {
  const { calls, whole } = services();
  for (const name of COMMON) expect(whole.get(name), name).toBe(calls.get(name));
});

test('so do both services of the api function', () => {
  const engines = memoryEngines();
  const areas = [licensing] as const;
  const first = bootstrap(SETTINGS, engines, areas);
  const { service } = wholeApi(SETTINGS, engines, areas, first);
  for (const name of COMMON) expect(service.get(name), name).toBe(first.get(name));
  expect(service.get('handle')).not.toBe(first.get('handle'));
});
