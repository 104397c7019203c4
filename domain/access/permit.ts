import type { Actor } from './actor.ts';

declare const PASSED: unique symbol;

/**
 * Proof that every guard let a request pass: limit, ability, scope, target, entitlement and validation. Each port
 * method that an endpoint can reach and that writes takes a permit first, so a write before the guards does not
 * compile. Two belong to the guards themselves and take none: the rate limiter's count, and the recorded use of a key.
 * Reads run in parallel with the guards, so a use case that writes has two steps (`application/shared/steps.ts`).
 */
export type Permit = {
  readonly [PASSED]: true;
  /** The actor who writes with the permit, for the audit log. */
  readonly by: () => Actor;
};
