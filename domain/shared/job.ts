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

/** How often a job is tried before it is given up. */
export const JOB_ATTEMPTS = 5;

const FIRST_REST_MS = 10_000;

/** The moment until which a job rests after a fault: 10 seconds after the first attempt, and twice as long after each further one. */
export const restsUntil = ({ attempts }: Pick<Job, 'attempts'>, now: Instant): Instant =>
  toInstant(millis(now) + FIRST_REST_MS * 2 ** Math.max(0, attempts - 1));
