import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

export type SetupProgress = {
  readonly completed_step_indexes: readonly number[];
  readonly completed_at: Instant | null;
};

export const NO_PROGRESS: SetupProgress = { completed_step_indexes: [], completed_at: null };

/** `ProductSetupProgressData` of the OpenAPI document. */
export type SetupProgressView = {
  readonly completed_step_indexes: number[];
  readonly completed_count: number;
  readonly total_count: number;
  /** Whole percent, rounded down, so that 100 means complete. */
  readonly progress_percent: number;
  readonly completed: boolean;
  readonly completed_at: Instant | null;
};

/** Measures the completed steps against the product's current number of steps. A product without steps is complete. */
export const viewProgress = (progress: SetupProgress, total: number): SetupProgressView => {
  const done = progress.completed_step_indexes.filter((index) => index < total);
  const completed = done.length === total;
  return {
    completed_step_indexes: done,
    completed_count: done.length,
    total_count: total,
    progress_percent: total === 0 ? 100 : Math.floor((done.length * 100) / total),
    completed,
    completed_at: completed ? progress.completed_at : null,
  };
};

const fault = (total: number): string =>
  total === 0 ? 'This product has no setup steps.' : `The step must be one of 0 to ${total - 1}.`;

/**
 * Replaces the completed steps with those from the client, counted from 0. An index outside `0` to `total - 1` is
 * refused. `completed_at` stays the same while all steps stay completed, and is `now` if the product has gained a step
 * since.
 */
export const completeSteps = (
  before: SetupProgress,
  indexes: readonly number[],
  total: number,
  now: Instant,
): Outcome<SetupProgress, 'validation_failed'> => {
  const errors = Object.fromEntries(
    indexes.flatMap((index, n) =>
      Number.isInteger(index) && index >= 0 && index < total ? [] : [[`completed_step_indexes.${n}`, [fault(total)]]],
    ),
  );
  if (Object.keys(errors).length > 0) return refuse('validation_failed', { data: { errors } });
  const done = [...new Set(indexes)].sort((a, b) => a - b);
  const completedAt = done.length === total ? (viewProgress(before, total).completed_at ?? now) : null;
  return ok({ completed_step_indexes: done, completed_at: completedAt });
};
