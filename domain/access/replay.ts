import { hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';

/** Hours during which a repeated request gets the first answer again. */
export const REPLAY_HOURS = 24;

/** Milliseconds after which an unanswered request counts as aborted, so that a retry replaces it. */
const ABANDONED_MS = 60_000;

/** A request with an Idempotency-Key, and its answer once there is one. */
export type Replay = {
  /** Hash of everything that the request asks for. */
  readonly fingerprint: string;
  readonly begun_at: Instant;
  readonly answer: unknown;
  /** False while the request is being answered. */
  readonly answered: boolean;
};

export type ReplayVerdict = 'begin' | 'answered' | 'reused' | 'in_use';

/** The moment at which a request is forgotten. */
export const forgottenAt = (begun: Instant): Instant => toInstant(millis(begun) + REPLAY_HOURS * 3_600_000);

/**
 * Decides on a request whose Idempotency-Key may have been used before. `begin`: the key is free. `answered`: the
 * request gets the first one's answer. `reused`: the key belongs to another request. `in_use`: the first request is
 * still being answered.
 */
export const judgeReplay = (before: Replay | undefined, fingerprint: string, now: Instant): ReplayVerdict => {
  if (!before || hasPassed(forgottenAt(before.begun_at), now)) return 'begin';
  if (before.fingerprint !== fingerprint) return 'reused';
  if (before.answered) return 'answered';
  return Math.abs(millis(now) - millis(before.begun_at)) >= ABANDONED_MS ? 'begin' : 'in_use';
};
