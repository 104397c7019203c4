import { type Instant, millis, toInstant } from '../shared/instant.ts';
import type { CollectLock, CollectRun } from './run.ts';

/** Seconds for which a collector keeps the lock without an upload, unless the operator sets another number. */
export const LEASE_SECONDS = 600;

/** An upload renews the lease only if less than this share of it is left, so that most uploads write no lock. */
const RENEWED_BELOW = 0.75;

const endOf = (seconds: number, now: Instant): Instant => toInstant(millis(now) + seconds * 1000);

/** The lock of a run that opens now. */
export const lockOf = ({ id, agent, opened_at }: CollectRun, seconds: number, now: Instant): CollectLock => ({
  run_id: id,
  agent_name: agent.name,
  opened_at,
  expires_at: endOf(seconds, now),
});

/** True while a run keeps others from collecting. A lease ends at its very moment. */
export const isHeld = (lock: CollectLock | undefined, now: Instant): lock is CollectLock =>
  lock !== undefined && lock.expires_at > now;

/** True while this run holds the lock. */
export const holdsLock = (
  { id }: Pick<CollectRun, 'id'>,
  lock: CollectLock | undefined,
  now: Instant,
): lock is CollectLock => isHeld(lock, now) && lock.run_id === id;

/** The lock with a whole lease from now on; undefined while three quarters of its lease are left, and after its end. */
export const renewedLock = (lock: CollectLock, seconds: number, now: Instant): CollectLock | undefined => {
  const left = millis(lock.expires_at) - millis(now);
  return left > 0 && left < RENEWED_BELOW * seconds * 1000 ? { ...lock, expires_at: endOf(seconds, now) } : undefined;
};
