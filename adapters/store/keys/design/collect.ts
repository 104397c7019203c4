import { hash } from 'node:crypto';
import type { Capture, RunAsset } from '../../../../domain/design/collect/capture.ts';
import type { CollectLock, CollectRun, ReplayProblem, Uploads } from '../../../../domain/design/collect/run.ts';
import type { Job } from '../../../../domain/shared/job.ts';
import type { KeyOf, Partition, PartitionKey } from '../families.ts';
import { keyIn, padded } from '../shared.ts';

/** A run with the number of its uploads, which each new upload raises. */
export type StoredRun = { readonly run: CollectRun; readonly uploads: Uploads };

const RUNS = 'COLLECTRUNS';
const JOBS = 'JOBS';

const runPartition = (runId: number): PartitionKey => `COLLECTRUN#${runId}`;

/** Comes after every padded number. */
const LAST = '~';

/** Where the runs of collectors, their uploads and the jobs lie. */
export const collectKeys = {
  lock: (): KeyOf<CollectLock> => ({ pk: 'COLLECTLOCK', sk: 'LOCK' }),
  /** Few runs open in a day, so that one partition holds them all, in the order of their ids. */
  runs: (): Partition<StoredRun> => ({ pk: RUNS }),
  run: (id: number): KeyOf<StoredRun> => ({ pk: RUNS, sk: padded(id) }),
  assets: (runId: number): Partition<RunAsset> => ({ pk: runPartition(runId), prefix: 'ASSET#' }),
  asset: (runId: number, { url, sha256 }: Pick<RunAsset, 'url' | 'sha256'>) =>
    keyIn<RunAsset>(runPartition(runId), `ASSET#${hash('sha256', url, 'hex')}#${sha256}`),
  captures: (runId: number, after: number): Partition<Capture> => ({
    pk: runPartition(runId),
    from: `CAPTURE#${padded(after + 1)}`,
    to: `CAPTURE#${LAST}`,
  }),
  capture: (runId: number, number: number) => keyIn<Capture>(runPartition(runId), `CAPTURE#${padded(number)}`),
  captureKey: (runId: number, key: string) =>
    keyIn<{ readonly number: number }>(runPartition(runId), `KEY#${hash('sha256', key, 'hex')}`),
  problems: (runId: number): Partition<ReplayProblems> => ({ pk: runPartition(runId), prefix: 'PROBLEM#' }),
  problemsOf: (runId: number, capture: number) =>
    keyIn<ReplayProblems>(runPartition(runId), `PROBLEM#${padded(capture)}`),

  jobs: (): Partition<Job> => ({ pk: JOBS }),
  job: (id: number): KeyOf<Job> => ({ pk: JOBS, sk: padded(id) }),
};

export type ReplayProblems = { readonly problems: readonly ReplayProblem[] };
