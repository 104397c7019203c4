import { type Instant, millis, toInstant } from './instant.ts';

/** Work that outlives the request that asked for it. */
export type Job = {
  readonly id: number;
  /** The kind of work, and the record that it is about. */
  readonly kind: 'replay';
  readonly subject: number;
  /** The agent that asked for the work. */
  readonly agent_id: number;
  readonly queued_at: Instant;
  /** How often a worker has taken the job. */
  readonly attempts: number;
  /** No worker may take the job before this moment: another has it, or it rests after a fault. */
  readonly free_at: Instant;
};

/**
 * The job to do next: the one that was queued first, of those of the agent that has the fewest, so that no agent keeps
 * the others waiting by many jobs. Undefined if one is under way or rests, because one job runs at a time. A job that
 * nobody took is neither, whatever the clock says that queued it.
 */
export const nextJob = (waiting: readonly Job[], now: Instant): Job | undefined => {
  if (waiting.some(({ attempts, free_at }) => attempts > 0 && free_at > now)) return undefined;
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

/** How often a job is tried before it is given up. */
export const JOB_ATTEMPTS = 5;

const FIRST_REST_MS = 10_000;

/** The moment until which a job rests after a fault: 10 seconds after the first attempt, and twice as long after each further one. */
export const restsUntil = ({ attempts }: Pick<Job, 'attempts'>, now: Instant): Instant =>
  toInstant(millis(now) + FIRST_REST_MS * 2 ** Math.max(0, attempts - 1));
