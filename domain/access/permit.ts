import type { Actor } from './actor.ts';

declare const PASSED: unique symbol;

/**
 * Proof that every gate let a request pass: limit, ability, scope, target, entitlement and validation. Each port method
 * that an endpoint can reach and that writes takes a permit first, so a write before the gates does not compile. Two
 * belong to the gates and take none: the rate limiter's count, and the recorded use of a key.
 *
 * Reads run beside the gates, so a use case that writes has two steps (`application/shared/steps.ts`).
 */
export type Permit = {
  readonly [PASSED]: true;
  /** The party that writes with the permit, for the audit log. */
  readonly by: () => Actor;
};
