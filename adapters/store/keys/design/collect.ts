import { hash } from 'node:crypto';
import type { Capture, RunAsset } from '../../../../domain/design/collect/capture.ts';
import type { CollectLock, CollectRun, ReplayProblem, Uploads } from '../../../../domain/design/collect/run.ts';
import type { Job } from '../../../../domain/shared/job.ts';
import type { KeyOf, Partition, PartitionKey } from '../families.ts';
import { keyIn, padded } from '../shared.ts';

/** A run with the number of its uploads, which each new upload increments. */
export type StoredRun = { readonly run: CollectRun; readonly uploads: Uploads };

const RUNS = 'COLLECTRUNS';
const JOBS = 'JOBS';

const runPartition = (run_id: number): PartitionKey => `COLLECTRUN#${run_id}`;

/** Sorts after every padded number. */
const LAST = '~';

/** Keys of collect runs, their uploads and jobs. */
export const collectKeys = {
  lock: (): KeyOf<CollectLock> => ({ pk: 'COLLECTLOCK', sk: 'LOCK' }),
  /** Few runs are opened in a day, so one partition holds them all, ordered by id. */
  runs: (): Partition<StoredRun> => ({ pk: RUNS }),
  run: (id: number): KeyOf<StoredRun> => ({ pk: RUNS, sk: padded(id) }),
  assets: (run_id: number): Partition<RunAsset> => ({ pk: runPartition(run_id), prefix: 'ASSET#' }),
  asset: (run_id: number, { url, sha256 }: Pick<RunAsset, 'url' | 'sha256'>) =>
    keyIn<RunAsset>(runPartition(run_id), `ASSET#${hash('sha256', url, 'hex')}#${sha256}`),
  captures: (run_id: number, after: number): Partition<Capture> => ({
    pk: runPartition(run_id),
    from: `CAPTURE#${padded(after + 1)}`,
    to: `CAPTURE#${LAST}`,
  }),
  capture: (run_id: number, number: number) => keyIn<Capture>(runPartition(run_id), `CAPTURE#${padded(number)}`),
  captureKey: (run_id: number, key: string) =>
    keyIn<{ readonly number: number }>(runPartition(run_id), `KEY#${hash('sha256', key, 'hex')}`),
  problems: (run_id: number): Partition<ReplayProblems> => ({ pk: runPartition(run_id), prefix: 'PROBLEM#' }),
  problemsOf: (run_id: number, capture: number) =>
    keyIn<ReplayProblems>(runPartition(run_id), `PROBLEM#${padded(capture)}`),

  jobs: (): Partition<Job> => ({ pk: JOBS }),
  job: (id: number): KeyOf<Job> => ({ pk: JOBS, sk: padded(id) }),
};

export type ReplayProblems = { readonly problems: readonly ReplayProblem[] };
