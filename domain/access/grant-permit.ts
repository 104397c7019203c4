import { type Actor, SERVICE, scriptNamed } from './actor.ts';
import type { Permit } from './permit.ts';

/**
 * Grants a permit to a request that has passed every gate, or to an operator or a script of the shop, whom no gate
 * checks. `by` is the name of the script (`grantPermit('nightly-grants')`), or tells the audit log who writes with the
 * permit, and is then called only for a write that the log keeps. A change by a script is in the log as `script:NAME`,
 * and causes the mails that a command causes. Without `by` the service itself acts: it fills a store, and mails nobody.
 * Only the guard of adapters/pipeline, the operator's commands and tests may import this file (test/architecture).
 */
export const grantPermit = (by: string | (() => Actor) = () => SERVICE): Permit =>
  ({ by: typeof by === 'string' ? () => scriptNamed(by) : by }) as Permit;
