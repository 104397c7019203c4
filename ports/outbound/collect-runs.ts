import type { Permit } from '../../domain/access/permit.ts';
import type { Capture, RunAsset } from '../../domain/collect/capture.ts';
import type { CollectLock, CollectRun, ReplayProblem, Uploads } from '../../domain/collect/run.ts';
import type { Job } from '../../domain/shared/job.ts';

/** A record as it was read; `version` is null where there was none. A write on it loses to every other write since. */
export type ReadLock = { readonly lock: CollectLock | undefined; readonly version: string | null };
export type ReadRun = { readonly run: CollectRun; readonly uploads: Uploads; readonly version: string };

/**
 * The runs of collectors, their uploads, and the lock that one run holds at a time. A new upload changes the version of
 * its run, so that uploads are counted exactly, and none joins a run that was submitted meanwhile.
 */
export interface CollectRuns {
  lock(): Promise<ReadLock>;
  /** Makes a run that holds the lock; false, with nothing written, where the lock has changed since it was read. */
  open(permit: Permit, run: CollectRun, lock: CollectLock, read: ReadLock): Promise<boolean>;
  /** Moves the end of the lease; false where the lock has changed since it was read. */
  renew(permit: Permit, lock: CollectLock, read: ReadLock): Promise<boolean>;

  get(runId: number): Promise<ReadRun | undefined>;
  /** Newest first. */
  newest(limit: number): Promise<ReadRun[]>;
  /** Writes the run and frees the lock that it holds; false, with nothing written, where either has changed since. */
  end(permit: Permit, run: CollectRun, read: ReadRun, held: ReadLock): Promise<boolean>;
  /**
   * Writes the run and queues its replay, in one step; false, with nothing written, where the run has changed since it
   * was read, or where a job with this id waits already. With `held` the run must still hold that lock, and frees it.
   */
  submit(permit: Permit, run: CollectRun, read: ReadRun, job: Job, held?: ReadLock): Promise<boolean>;
  /** Writes the run, such as its progress; undefined where it has changed since it was read. */
  save(permit: Permit, run: CollectRun, read: ReadRun): Promise<ReadRun | undefined>;

  /** True where the run has an asset of this address and these bytes. */
  hasAsset(runId: number, asset: Pick<RunAsset, 'url' | 'sha256'>): Promise<boolean>;
  /** Adds an asset; false, with nothing written, where the run has changed since it was read. */
  addAsset(permit: Permit, asset: RunAsset, read: ReadRun): Promise<boolean>;
  assets(runId: number): Promise<RunAsset[]>;
  /** The number of the run's capture with this key; undefined where there is none. */
  numberOf(runId: number, key: string): Promise<number | undefined>;
  /**
   * Keeps a capture: a new one if its number is the next of the run, and otherwise in place of the one that has this
   * key and number. False, with nothing written, where the run has changed since it was read.
   */
  putCapture(permit: Permit, capture: Capture, read: ReadRun): Promise<boolean>;
  /** The captures with numbers above `after`, in their order; at most `limit`. */
  captures(runId: number, after: number, limit: number): Promise<Capture[]>;

  /** Keeps the problems of a capture in place of those that it had. */
  putProblems(permit: Permit, runId: number, capture: number, problems: readonly ReplayProblem[]): Promise<void>;
  /** The first problems of the run, by capture. */
  problems(runId: number, limit: number): Promise<ReplayProblem[]>;
}
