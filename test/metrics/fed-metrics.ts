import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { measuredObjects, measuredTable } from '../../adapters/metrics/measured-stores.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { readExposition, type Scraped } from '../support/exposition.ts';

const broken = (): Promise<never> => Promise.reject(new StoreUnavailable('gone'));

/** The metrics of a process that has counted everything once, so that each metric has a series with all its labels. */
export const fedMetrics = async (): Promise<Scraped> => {
  const metrics = new Metrics({ version: '1.0.0', node: 'v24', store: 'sqlite', objects: 'filesystem' });
  metrics.watch({
    connectionsOpen: () => 1,
    connectionsRefused: () => 1,
    largeBodyBytes: () => 1,
    formsOpen: () => 1,
    logLinesLost: () => 1,
    jobsWaiting: async () => 1,
    openEvents: async () => ({ refused: 1 }),
    unsentMail: async () => ({ failed: 1 }),
    lastRuns: async () => ({ backup: { at: 1, faults: 1 } }),
    ready: async () => ({ table: true, files: false }),
    disk: async () => ({ free: 1, size: 2 }),
  });
  const count = metrics.requests.at('api');
  count({ method: 'POST', status: 200, ms: 1, answered: { endpoint: 'a', code: null, decision: 'valid' } });
  count({ method: 'POST', status: 404, ms: 1, answered: { endpoint: 'a', code: 'not_found' } });
  metrics.early.add('too_many_connections');
  metrics.jobs.add('done');
  await measuredTable(Object.assign(new MemoryTable(), { ping: broken }), metrics.table)
    .ping()
    .catch(() => {});
  const objects = { ping: broken } as unknown as ObjectStore;
  await measuredObjects(objects, metrics.objects)
    .ping()
    .catch(() => {});
  return readExposition(await metrics.text());
};

/** The label names of a metric's series, without the `le` of buckets. */
export const labelsOf = ({ series }: Scraped, metric: string): string[] => {
  const name = new RegExp(`^${metric}(_bucket|_sum|_count)?$`);
  const names = series.filter((one) => name.test(one.name)).flatMap(({ labels }) => Object.keys(labels));
  return [...new Set(names)].filter((label) => label !== 'le').toSorted();
};
