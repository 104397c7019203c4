import type { Outcome } from '../../domain/shared/outcome.ts';

/* A test uses this where it needs the value of an outcome, and where a refusal would be a fault. */

/** The value of an outcome that must be right. */
export const done = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.message ?? outcome.code);
  return outcome.value;
};
