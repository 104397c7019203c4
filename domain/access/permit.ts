declare const PASSED: unique symbol;

/**
 * Proof that every gate let a request pass: limit, ability, scope, target, entitlement and validation. Every method of a
 * port that writes what an endpoint can reach takes it first, so that a write before the gates does not compile.
 *
 * Reads run beside the gates. A use case that writes is therefore given a `Promise<Permit>`, and awaits it before its
 * first write. The promise never settles for a request that a gate refused: its use case stays where it waits, and is
 * collected as garbage. So hold nothing open across that `await`.
 */
export type Permit = { readonly [PASSED]: true };
