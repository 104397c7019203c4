import type { Permit } from '../../domain/access/permit.ts';
import type { Capture, RunAsset } from '../../domain/collect/capture.ts';
import type { CollectLock, CollectRun, ReplayProblem } from '../../domain/collect/run.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Job } from '../../domain/shared/job.ts';

/** A record as it was read; `version` is null where there was none. A write on it loses to every other write since. */
export type ReadLock = { readonly lock: CollectLock | undefined; readonly version: string | null };
export type ReadRun = { readonly run: CollectRun; readonly version: string };

/** The runs of collectors, their uploads, and the lock that one run holds at a time. */
export interface CollectRuns {
  lock(): Promise<ReadLock>;
  /** Makes a run that holds the lock; false, with nothing written, where the lock has changed since it was read. */
  open(permit: Permit, run: CollectRun, lock: CollectLock, read: ReadLock): Promise<boolean>;
  /** Moves the end of the lease; false where the lock has changed since it was read. */
  renew(permit: Permit, lock: CollectLock, read: ReadLock): Promise<boolean>;

  get(runId: number): Promise<ReadRun | undefined>;
  /** Newest first. */
  newest(limit: number): Promise<CollectRun[]>;
  /** Writes the run and frees the lock if the run holds it; false where the run has changed since it was read. */
  end(permit: Permit, run: CollectRun, read: ReadRun): Promise<boolean>;
  /** As `end`, and queues the replay in the same step. */
  submit(permit: Permit, run: CollectRun, read: ReadRun, job: Job): Promise<boolean>;
  /** Writes the run, such as its progress; false where it has changed since it was read. */
  save(permit: Permit, run: CollectRun, read: ReadRun): Promise<ReadRun | undefined>;

  /** Adds an asset; false where the run has one of this address and these bytes already. */
  addAsset(permit: Permit, runId: number, asset: RunAsset): Promise<boolean>;
  assets(runId: number): Promise<RunAsset[]>;
  /**
   * Keeps a capture. Its number is the one that the run has for its key already, or the next. `replaced` is true where
   * a capture of the same key was there.
   */
  putCapture(
    permit: Permit,
    capture: Omit<Capture, 'number'>,
  ): Promise<{ readonly capture: Capture; readonly replaced: boolean }>;
  /** The captures with numbers above `after`, in their order; at most `limit`. */
  captures(runId: number, after: number, limit: number): Promise<Capture[]>;
  /** The number of uploads of the run so far. */
  counts(runId: number): Promise<{ readonly assets: number; readonly captures: number }>;

  /** Keeps the problems of a capture in place of those that it had. */
  putProblems(permit: Permit, runId: number, capture: number, problems: readonly ReplayProblem[]): Promise<void>;
  /** The first problems of the run, by capture. */
  problems(runId: number, limit: number): Promise<ReplayProblem[]>;
  /** Every run whose job may be lost is found here: submitted or replaying since before `since`. */
  unfinished(since: Instant): Promise<CollectRun[]>;
}
