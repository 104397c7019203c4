import { awaits, type Instant, millis, toInstant } from './instant.ts';

/** Work that outlives the request that started it. */
export type Job = {
  readonly id: number;
  /** The kind of work, and the id of its record. */
  readonly kind: 'replay';
  readonly subject: number;
  readonly agent_id: number;
  readonly queued_at: Instant;
  /** The number of times that a worker has taken the job. */
  readonly attempts: number;
  /** No worker may take the job before this time: another worker has it, or it awaits a retry. */
  readonly free_at: Instant;
};

/**
 * The next job: the oldest one of the agent with the fewest jobs, so an agent with many jobs doesn't block the others.
 * Undefined if one is running or awaits a retry, because only one job runs at a time. A job that was never taken is
 * neither, whatever clock queued it.
 */
export const nextJob = (waiting: readonly Job[], now: Instant): Job | undefined => {
  if (waiting.some(({ attempts, free_at }) => attempts > 0 && awaits(free_at, now))) return undefined;
  const jobs = countBy(waiting);
  return waiting.toSorted(
    (a, b) =>
      (jobs.get(a.agent_id) ?? 0) - (jobs.get(b.agent_id) ?? 0) ||
      millis(a.queued_at) - millis(b.queued_at) ||
      a.id - b.id,
  )[0];
};

const countBy = (waiting: readonly Job[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const { agent_id } of waiting) counts.set(agent_id, (counts.get(agent_id) ?? 0) + 1);
  return counts;
};

/** The number of attempts before a job is given up. */
export const JOB_ATTEMPTS = 5;

const FIRST_REST_MS = 10_000;

/** The time at which a failed job is retried: 10 seconds after the first attempt, then at doubling intervals. */
export const restsUntil = ({ attempts }: Pick<Job, 'attempts'>, now: Instant): Instant =>
  toInstant(millis(now) + FIRST_REST_MS * 2 ** Math.max(0, attempts - 1));
