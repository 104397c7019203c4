import { setImmediate as whenIdle } from 'node:timers/promises';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';

/** The permit of a request that every gate let pass. */
export const PERMIT: Promise<Permit> = Promise.resolve(grantPermit());

/**
 * Calls a use case for a request that a gate refused: its permit never resolves. Returns once the use case has done all
 * that it does without one; in memory that is everything before the process is idle.
 */
export const withoutPermit = async (call: (permit: Promise<Permit>) => Promise<unknown>): Promise<void> => {
  void call(new Promise<Permit>(() => {}));
  await whenIdle();
};
