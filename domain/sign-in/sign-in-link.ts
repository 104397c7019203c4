import { type Account, normalizedEmail } from '../accounts/account.ts';
import { hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';

export const LINK_MINUTES = 60;

/** A link that signs its account in once, or changes its address once. Only the SHA-256 hash of its code is kept. */
export type SignInLink = {
  readonly hash: string;
  readonly account_id: number;
  /**
   * Names the password and the e-mail address that the account had (`markedText`). Another one of either ends the link.
   * It is a SHA-256, lower-case hex.
   */
  readonly password_mark: string;
  /** The new address that the link gives to its account; absent for a link that signs in. */
  readonly email?: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
};

/** The text whose hash is the mark of a link. */
export const markedText = ({ email, password_hash }: Pick<Account, 'email' | 'password_hash'>): string =>
  `${normalizedEmail(email)} ${password_hash ?? ''}`;

export const newSignInLink = (
  made: Pick<SignInLink, 'hash' | 'account_id' | 'password_mark' | 'email'>,
  now: Instant,
): SignInLink => ({
  ...made,
  created_at: now,
  expires_at: toInstant(millis(now) + LINK_MINUTES * MINUTE_MS),
});

export const isUsableLink = ({ expires_at }: SignInLink, now: Instant): boolean => !hasPassed(expires_at, now);
