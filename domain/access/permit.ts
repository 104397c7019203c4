import type { Actor } from './actor.ts';

declare const PASSED: unique symbol;

/**
 * Proof that every gate let a request pass: limit, ability, scope, target, entitlement and validation. Each port method
 * that an endpoint can reach and that writes takes a permit first, so a write before the gates does not compile. Two
 * belong to the gates and take none: the count of the rate limiter, and the use of a key.
 *
 * Reads run beside the gates. A use case that writes therefore gets a `Promise<Permit>` and awaits it before its first
 * write. The promise never settles for a request that a gate refused: the use case stays at its `await` and is
 * collected as garbage. A use case must hold nothing open across that `await`.
 */
export type Permit = {
  readonly [PASSED]: true;
  /** The party that writes with the permit, for the audit log. */
  readonly by: () => Actor;
};
