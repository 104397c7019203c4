import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Job } from '../../domain/shared/job.ts';

/** A job that a worker has taken. Its `version` is lost once another worker takes it. */
export type TakenJob = { readonly job: Job; readonly version: string };

/**
 * The jobs that are not done. A repository adds a job in the same transaction as the record that the job is about, so
 * that neither exists alone. An implementation must pass the contract suite `contracts/jobs`.
 */
export interface Jobs {
  /** Adds a job again that was lost or should run once more; false if a job with its id waits already. */
  add(permit: Permit, job: Job): Promise<boolean>;
  /** The job with this id that is not done. */
  find(id: number): Promise<Job | undefined>;
  /** The jobs that are not done, those with the lowest ids first; at most `limit`. */
  waiting(limit: number): Promise<Job[]>;
  /**
   * Takes the next job for a worker, until `until`, and counts the attempt: the one that was queued first, of those of
   * the agent that has the fewest. Undefined if there is no job, or where any is in progress or rests: one job runs at
   * a time.
   */
  take(permit: Permit, now: Instant, until: Instant): Promise<TakenJob | undefined>;
  /** Extends the lease; undefined if another worker has taken the job. */
  keep(permit: Permit, taken: TakenJob, until: Instant): Promise<TakenJob | undefined>;
  /** Gives the job back after a fault; no worker takes it before `freeAt`. False if another worker has taken it. */
  release(permit: Permit, taken: TakenJob, freeAt: Instant): Promise<boolean>;
  /** Returns the job at once and takes back the attempt, for a worker that stops. False if another has it. */
  handBack(permit: Permit, taken: TakenJob, now: Instant): Promise<boolean>;
  /** Ends the worker's turn: like `handBack`, and the job goes to the end of the queue. False if another has it. */
  endTurn(permit: Permit, taken: TakenJob, now: Instant): Promise<boolean>;
  /** Removes the job, done or given up; false if another worker has taken it. */
  finish(permit: Permit, taken: TakenJob): Promise<boolean>;
}

/**
 * Tells the worker that a job is waiting. The message may come twice, late, or never: a worker also polls, so a lost
 * message only delays.
 */
export interface JobBell {
  ring(job: Pick<Job, 'id' | 'kind' | 'subject'>): Promise<void>;
}
