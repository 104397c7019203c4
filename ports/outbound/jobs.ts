import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Job } from '../../domain/shared/job.ts';

/** A job that a worker has taken. Its `version` becomes invalid once another worker takes it. */
export type TakenJob = { readonly job: Job; readonly version: string };

/**
 * The unfinished jobs. A repository adds a job in the same transaction as its record, so that neither exists alone. An
 * implementation must pass the contract suite `contracts/jobs`.
 */
export interface Jobs {
  /** Adds a job again that was lost or should run again; false if a job with its id is already waiting. */
  add(permit: Permit, job: Job): Promise<boolean>;
  /** The unfinished job with this id. */
  find(id: number): Promise<Job | undefined>;
  /** The unfinished jobs by ascending id; at most `limit`. */
  waiting(limit: number): Promise<Job[]>;
  /**
   * Takes the next job for a worker, until `until`, and counts the attempt: the oldest job of the agent with the fewest
   * jobs. Undefined if there is no job, or one is in progress or waits for a retry, because one job runs at a time.
   */
  take(permit: Permit, now: Instant, until: Instant): Promise<TakenJob | undefined>;
  /** Extends the lease; undefined if another worker has taken the job. */
  keep(permit: Permit, taken: TakenJob, until: Instant): Promise<TakenJob | undefined>;
  /** Returns the job after a fault; no worker takes it before `freeAt`. False if another worker has taken it. */
  release(permit: Permit, taken: TakenJob, freeAt: Instant): Promise<boolean>;
  /**
   * Returns the job immediately and does not count the attempt, for a worker that stops. False if another worker has
   * it.
   */
  handBack(permit: Permit, taken: TakenJob, now: Instant): Promise<boolean>;
  /**
   * Ends the worker's turn: like `handBack`, but moves the job to the end of the queue. False if another worker has it.
   */
  endTurn(permit: Permit, taken: TakenJob, now: Instant): Promise<boolean>;
  /** Removes a job that is done or given up; false if another worker has taken it. */
  finish(permit: Permit, taken: TakenJob): Promise<boolean>;
}

/**
 * Notifies the worker that a job is waiting. The message may arrive twice, late, or never: a worker also polls, so a
 * lost message only delays the job.
 */
export interface JobBell {
  ring(job: Pick<Job, 'id' | 'kind' | 'subject'>): Promise<void>;
}
