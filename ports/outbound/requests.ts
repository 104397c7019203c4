import type { Permit } from '../../domain/access/permit.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import type { Replay } from '../../domain/access/replay.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import type { Instant } from '../../domain/shared/instant.ts';

export interface RateLimits {
  /**
   * Counts one request and returns the subject's number of requests in the window, including this one, atomically.
   * Null, without counting, if the counter is overloaded: this returns immediately, so that a flood doesn't make
   * callers wait. `window` is the number of the minute, or of another period that the subject always uses; `expiresAt`
   * is the Unix time in seconds after which the count may be deleted. It needs no permit, because it is a guard itself.
   */
  hit(subject: string, window: number, expiresAt: number): Promise<number | null>;
  /** Undoes one `hit` with the same arguments, for an attempt that should not count. */
  takeBack(subject: string, window: number, expiresAt: number): Promise<void>;
}

/**
 * The counts of owners toward their daily limits. The day is the UTC day of `now`. A power failure may undo the last
 * counts.
 */
export interface DailyBounds {
  /** True if the owner's count has reached the bound. Concurrent requests may exceed it together. */
  isReached(bound: DailyBound, owner: string, now: Instant): Promise<boolean>;
  /**
   * Adds to the owner's count and returns the sum. This is atomic; a second write follows if the sum reaches the bound.
   */
  count(permit: Permit, bound: DailyBound, owner: string, by: number, now: Instant): Promise<number>;
}

/** The key of a repeatable request: its owner, its endpoint, and its Idempotency-Key. */
export type ReplayKey = { readonly owner: Owner; readonly endpoint: string; readonly key: string };

export type ReadReplay = {
  readonly replay: Replay | undefined;
  /** Null if there is no record. */
  readonly version: string | null;
};

/** Requests with an Idempotency-Key, each stored for a day (`REPLAY_HOURS`). */
export interface Replays {
  read(key: ReplayKey): Promise<ReadReplay>;
  /** Stores a new request. Returns false and writes nothing if its key was written since the read. */
  begin(permit: Permit, key: ReplayKey, replay: Replay, read: Pick<ReadReplay, 'version'>): Promise<boolean>;
  /** Stores the answer of a request. */
  finish(permit: Permit, key: ReplayKey, replay: Replay): Promise<void>;
  forget(permit: Permit, key: ReplayKey): Promise<void>;
}
