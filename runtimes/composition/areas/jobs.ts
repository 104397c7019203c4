import { StoredCollectRuns } from '../../../adapters/store/collect-runs.ts';
import { StoredJobs } from '../../../adapters/store/jobs.ts';
import type { CollectRuns } from '../../../ports/outbound/collect-runs.ts';
import type { Jobs } from '../../../ports/outbound/jobs.ts';
import { onAudited, onTable } from '../area.ts';

/** The jobs that wait, and the runs that they are for: all that a worker needs to find none. */
export const jobs = {
  parts: {
    collectRuns: onAudited<CollectRuns>(StoredCollectRuns),
    jobs: onTable<Jobs>(StoredJobs),
  },
};
