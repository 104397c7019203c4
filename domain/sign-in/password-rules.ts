import type { Account } from '../accounts/account.ts';
import { hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Session } from './session.ts';

/** The bounds of a password's length, in UTF-16 code units. */
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

/** The longest e-mail address (RFC 5321, section 4.5.3.1.3). */
export const LONGEST_EMAIL = 254;

/** Hours after a sign-in by link in which its session may replace the password without the current one. */
export const LINK_TRUST_HOURS = 1;

export const judgeNewPassword = (text: string): Outcome<null, 'password_too_short' | 'password_too_long'> => {
  if (text.length < SHORTEST_PASSWORD) {
    return refuse('password_too_short', { message: `A password has at least ${SHORTEST_PASSWORD} characters.` });
  }
  if (text.length > LONGEST_PASSWORD) {
    return refuse('password_too_long', { message: `A password has at most ${LONGEST_PASSWORD} characters.` });
  }
  return ok(null);
};

/**
 * True where a session must name the current password to set another one: the account has one, and the session was not
 * opened by a one-time link within the last hour.
 */
export const needsCurrentPassword = (
  { password_hash }: Pick<Account, 'password_hash'>,
  { method, created_at }: Pick<Session, 'method' | 'created_at'>,
  now: Instant,
): boolean => {
  const trusted = toInstant(millis(created_at) + LINK_TRUST_HOURS * 3_600_000);
  return password_hash !== null && (method !== 'link' || hasPassed(trusted, now));
};
