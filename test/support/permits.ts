import { setImmediate as whenIdle } from 'node:timers/promises';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';

/* A test takes its permit from here where it calls a use case that waits for one. */

/** The permit of a request that every gate let pass. */
export const PERMIT: Promise<Permit> = Promise.resolve(grantPermit());

/**
 * Calls a use case for a request that a gate refused: its permit never resolves. Returns once the use case has done all
 * that it does without one; in memory that is everything before the process is idle. Gives true if the use case still waits then.
 */
export const withoutPermit = (call: (permit: Promise<Permit>) => Promise<unknown>): Promise<boolean> => {
  const done = call(new Promise<Permit>(() => {})).then(() => false);
  const idle = whenIdle().then(() => whenIdle(true));
  return Promise.race([done, idle]);
};
