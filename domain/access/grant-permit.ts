import { type Actor, SERVICE } from './actor.ts';
import type { Permit } from './permit.ts';

const ofService = (): Actor => SERVICE;

/**
 * Grants a permit to a request that has passed every gate, or to an operator, whom no gate checks. `by` tells the audit
 * log who writes with it, and is called only for a write that the log keeps; without it the service itself does. Only
 * the guard of adapters/pipeline, the operator's commands and tests may import this file (test/architecture).
 */
export const grantPermit = (by: () => Actor = ofService): Permit => ({ by }) as Permit;
