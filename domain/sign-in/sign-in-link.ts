import { hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';

/** Minutes for which a one-time link can be used. */
export const LINK_MINUTES = 60;

/** A link that signs its account in once. Only the SHA-256 hash of its code is kept. */
export type SignInLink = {
  readonly hash: string;
  readonly account_id: number;
  /** Names the password that the account had. Another password ends the link. It is a SHA-256, lower-case hex. */
  readonly password_mark: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
};

/** A link as it is made now. */
export const newSignInLink = (
  made: Pick<SignInLink, 'hash' | 'account_id' | 'password_mark'>,
  now: Instant,
): SignInLink => ({
  ...made,
  created_at: now,
  expires_at: toInstant(millis(now) + LINK_MINUTES * MINUTE_MS),
});

export const isUsableLink = ({ expires_at }: SignInLink, now: Instant): boolean => !hasPassed(expires_at, now);
