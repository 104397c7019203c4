import { type Instant, millis, toInstant } from './instant.ts';

/** Work that outlives the request that asked for it. */
export type Job = {
  readonly id: number;
  /** The kind of work, and the record that it is about. */
  readonly kind: 'replay';
  readonly subject: number;
  readonly queued_at: Instant;
  /** How often a worker has taken the job. */
  readonly attempts: number;
  /** No worker may take the job before this moment: another has it, or it rests after a fault. */
  readonly free_at: Instant;
};

/**
 * The job to do next: the one that was queued first. Undefined where one is under way or rests, because one job runs at
 * a time. A job that nobody took is neither, whatever the clock says that queued it.
 */
export const nextJob = (waiting: readonly Job[], now: Instant): Job | undefined =>
  waiting.some(({ attempts, free_at }) => attempts > 0 && free_at > now)
    ? undefined
    : waiting.toSorted((a, b) => (a.queued_at < b.queued_at ? -1 : a.queued_at > b.queued_at ? 1 : a.id - b.id))[0];

/** How often a job is tried before it is given up. */
export const JOB_ATTEMPTS = 5;

const FIRST_REST_MS = 10_000;

/** The moment until which a job rests after a fault: 10 seconds after the first attempt, and twice as long after each further one. */
export const restsUntil = ({ attempts }: Pick<Job, 'attempts'>, now: Instant): Instant =>
  toInstant(millis(now) + FIRST_REST_MS * 2 ** Math.max(0, attempts - 1));
