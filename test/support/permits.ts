import { setImmediate as whenIdle } from 'node:timers/promises';
import type { TwoSteps } from '../../application/shared/steps.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';

/* Permits for tests that call use cases which wait for one. */

/** The permit of a request that every guard accepted. */
export const PERMIT: Promise<Permit> = Promise.resolve(grantPermit());

/** Runs both steps of a use case. The second waits for the permit, as in a request that waits for its guards. */
export const passed = async <T, R extends string, A = undefined>(
  working: TwoSteps<Outcome<T, R>, A>,
  permit = PERMIT,
  access?: A | Promise<A>,
): Promise<Outcome<T, R>> => {
  const loaded = await working;
  return typeof loaded === 'function' ? loaded({ permit: await permit, access: (await access) as A }) : loaded;
};

/**
 * Calls a use case for a request that a guard refused: its permit never resolves. Resolves once the use case has done
 * everything that it does without a permit; in memory, that is before the process is idle. The value is true if the use
 * case still waits then.
 */
export const withoutPermit = (call: (permit: Promise<Permit>) => Promise<unknown>): Promise<boolean> => {
  const done = call(new Promise<Permit>(() => {})).then(() => false);
  const idle = whenIdle().then(() => whenIdle(true));
  return Promise.race([done, idle]);
};
