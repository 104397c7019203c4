import type { Permit } from '../../domain/access/permit.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import type { Replay } from '../../domain/access/replay.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import type { Instant } from '../../domain/shared/instant.ts';

export interface RateLimits {
  /**
   * Counts one request and returns the subject's number of requests in the window, including this one. One atomic step.
   * Null, with nothing counted, if the counter can't take more at the moment: this returns at once, so a flood doesn't
   * make callers wait. `window` is the number of the minute, or of another stretch of time that the subject is always
   * counted by; `expiresAt` is the Unix time in seconds after which the count may be forgotten. It needs no permit: it
   * is a gate itself.
   */
  hit(subject: string, window: number, expiresAt: number): Promise<number | null>;
  /** Takes back one `hit` with the same arguments, for an attempt that should not count. */
  takeBack(subject: string, window: number, expiresAt: number): Promise<void>;
}

/**
 * The counts of owners toward their daily limits. The day is that of `now` (UTC). A count may lose its last moments in
 * a power failure.
 */
export interface DailyBounds {
  /** True if the owner's count has reached the bound. Requests that run at the same time may exceed it together. */
  isReached(bound: DailyBound, owner: string, now: Instant): Promise<boolean>;
  /**
   * Adds to the owner's count and returns the sum. One atomic step, and another one where the sum reaches the bound.
   */
  count(permit: Permit, bound: DailyBound, owner: string, by: number, now: Instant): Promise<number>;
}

/** The key of a repeatable request: its owner, its endpoint, and its Idempotency-Key. */
export type ReplayKey = { readonly owner: Owner; readonly endpoint: string; readonly key: string };

export type ReadReplay = {
  readonly replay: Replay | undefined;
  /** Null if there is none. */
  readonly version: string | null;
};

/** Requests with an Idempotency-Key, each kept for a day (`REPLAY_HOURS`). */
export interface Replays {
  read(key: ReplayKey): Promise<ReadReplay>;
  /** Stores a new request; false, with nothing written, if its key was written since it was read. */
  begin(permit: Permit, key: ReplayKey, replay: Replay, read: Pick<ReadReplay, 'version'>): Promise<boolean>;
  /** Keeps the answer of a begun request. */
  finish(permit: Permit, key: ReplayKey, replay: Replay): Promise<void>;
  forget(permit: Permit, key: ReplayKey): Promise<void>;
}
