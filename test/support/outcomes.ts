import type { Outcome } from '../../domain/shared/outcome.ts';

/* Unwraps outcomes, for tests in which a refusal would be a fault. */

/** The value of an outcome that must be a success. */
export const done = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.message ?? outcome.code);
  return outcome.value;
};
