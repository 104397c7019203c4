import type { Instant } from './instant.ts';

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
