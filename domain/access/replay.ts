import { hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';

/** How long a client may send the same request again and get the answer that it was given. */
export const REPLAY_HOURS = 24;

/** A request that hasn't been answered after this long was broken off: another may take its place. */
const ABANDONED_MS = 60_000;

/** A request that came with an Idempotency-Key, and its answer once there is one. */
export type Replay = {
  /** Hash of all that was asked. */
  readonly fingerprint: string;
  readonly begun_at: Instant;
  readonly answer: unknown;
  /** False while the request is being answered. */
  readonly answered: boolean;
};

export type ReplayVerdict = 'begin' | 'answered' | 'reused' | 'in_use';

/** When a request is forgotten. */
export const forgottenAt = (begun: Instant): Instant => toInstant(millis(begun) + REPLAY_HOURS * 3_600_000);

/**
 * What becomes of a request whose key was sent before: it begins where the key is free again, gets the answer of the
 * first, or is refused because the key stands for another request, or for one that is still being answered.
 */
export const judgeReplay = (before: Replay | undefined, fingerprint: string, now: Instant): ReplayVerdict => {
  if (!before || hasPassed(forgottenAt(before.begun_at), now)) return 'begin';
  if (before.fingerprint !== fingerprint) return 'reused';
  if (before.answered) return 'answered';
  return millis(now) - millis(before.begun_at) >= ABANDONED_MS ? 'begin' : 'in_use';
};
