import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';

/** The result of passing every guard: the permit, and the account's access to the product in the request. */
export type Clearance<A = unknown> = { readonly permit: Permit; readonly access: A };

/** The second step of a use case: decides on what was loaded, and writes. */
export type Step<T, A = unknown> = (passed: Clearance<A>) => Promise<T>;

/**
 * The result of a use case that writes. The call itself is the first step: it only loads, and may run in parallel with
 * the guards. It returns a refusal immediately, or the second step, which runs after the guards.
 */
export type TwoSteps<T, A = unknown> = Promise<T | Step<T, A>>;

/** Runs both steps in sequence, for a caller without guards. */
export const bothSteps = async <T, R extends string>(
  permit: Permit,
  working: TwoSteps<Outcome<T, R>>,
): Promise<Outcome<T, R>> => {
  const loaded = await working;
  return typeof loaded === 'function' ? loaded({ permit, access: undefined }) : loaded;
};

/** Maps the value of a use case. */
export const shaped = async <T, R extends string, A, V>(
  working: TwoSteps<Outcome<T, R>, A>,
  shape: (value: T) => V,
): TwoSteps<Outcome<V, R>, A> => {
  const answered = (outcome: Outcome<T, R>): Outcome<V, R> => (outcome.ok ? ok(shape(outcome.value)) : outcome);
  const loaded = await working;
  return typeof loaded === 'function' ? async (passed) => answered(await loaded(passed)) : answered(loaded);
};
