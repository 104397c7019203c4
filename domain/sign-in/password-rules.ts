import type { Account } from '../accounts/account.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { needsProof, type Session } from './session.ts';

/** The limits of a password's length, in UTF-16 code units. */
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

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
 * True if a session must provide the current password to set another one (OWASP ASVS 5.0, 6.2.3): the account has one,
 * and the session's own one-time link is not a recent proof.
 */
export const needsCurrentPassword = (
  { password_hash }: Pick<Account, 'password_hash'>,
  session: Pick<Session, 'method' | 'created_at' | 'proved_at'>,
  now: Instant,
): boolean => password_hash !== null && (session.method !== 'link' || needsProof(session, now));
