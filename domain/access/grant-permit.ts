import { type Actor, SERVICE, scriptNamed } from './actor.ts';
import type { Permit } from './permit.ts';

/**
 * Issues a permit to a request that has passed every guard, or to an operator or a script, which have no guards. `by`
 * is the name of the script (`grantPermit('nightly-grants')`), or a function that returns the actor, called only for
 * writes that are audited. The audit log shows a script's changes as `script:NAME`, and they send the same mails as a
 * command. Without `by` the service itself acts: it fills a store, and mails nobody. Only the guards of
 * adapters/pipeline, the operator's commands and tests may import this file (test/architecture).
 */
export const grantPermit = (by: string | (() => Actor) = () => SERVICE): Permit =>
  ({ by: typeof by === 'string' ? () => scriptNamed(by) : by }) as Permit;
