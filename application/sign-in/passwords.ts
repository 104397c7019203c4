import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { addressKey, LONGEST_EMAIL } from '../../domain/accounts/address.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { currentPasswordLimits, passwordLimits } from '../../domain/sign-in/attempts.ts';
import { passkeyTag } from '../../domain/sign-in/passkey.ts';
import { judgeNewPassword, LONGEST_PASSWORD, needsCurrentPassword } from '../../domain/sign-in/password-rules.ts';
import { isKnownTo, needsProof, type Session, type SignInMethods } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { PROOF_NEEDED } from '../accounts/own-account.ts';
import { reviseLatest } from '../shared/contended.ts';
import type { CountAttempts } from './count-attempts.ts';
import {
  type EndOtherSessions,
  isSecret,
  type OpenedSession,
  type OpenSession,
  type RenewSession,
  type Sender,
} from './sessions.ts';

export type SignInWithPasswordInput = Sender & {
  email: string;
  password: string;
  /** The value of the cookie that a browser gets when it signs in (`RememberBrowser`); null for none. */
  known: string | null;
};

/** An id that no account has; ids begin at 1. */
const NOBODY = 0;

const WRONG: Refused<'wrong_credentials'> = refuse('wrong_credentials', {
  message: 'The email address or the password is wrong.',
});

/**
 * Signs a browser in with the email address and the password of an account. An unknown address is counted, verified
 * and refused like a known one, and takes as long. An attempt refused for lack of capacity is not counted.
 */
export const signInWithPassword = ({
  passwords,
  passwordTurns,
  digest,
  signInMethods,
  countAttempts,
  openSession,
  accounts,
  knownBrowsers,
  clock,
}: Needs<'accounts' | 'clock' | 'digest' | 'knownBrowsers' | 'passwordTurns' | 'passwords'> & {
  signInMethods: SignInMethods;
  countAttempts: CountAttempts;
  openSession: OpenSession;
}) => {
  /** An unknown address costs the same two reads as a known one, so the response time reveals nothing. */
  const findAccount = async (email: string): Promise<Account | undefined> =>
    (await accounts.findByEmail(email)) ?? accounts.get(NOBODY);

  /** The hash of the browser's cookie, if the browser signed in to this account before. */
  const findKnown = async (value: string | null, account: Account | undefined): Promise<string | null> => {
    if (!isSecret(value)) return null;
    const hash = digest.sha256(value);
    const browser = await knownBrowsers.find(hash);
    return account && isKnownTo(browser, account.id, clock.now()) ? hash : null;
  };

  return async function signInWithPassword(
    input: SignInWithPasswordInput,
  ): Promise<Outcome<OpenedSession, 'wrong_credentials' | 'account_suspended' | 'too_many_attempts' | 'busy'>> {
    const email = addressKey(input.email);
    if (!signInMethods.password || email.length > LONGEST_EMAIL || input.password.length > LONGEST_PASSWORD) {
      return WRONG;
    }
    const account = await findAccount(input.email);
    const known = await findKnown(input.known, account);
    const counted = await countAttempts(passwordLimits(digest.sha256(email), input.address, known));
    if (!counted.ok) return counted;
    const matches = await passwordTurns.take(known === null ? 'stranger' : 'known', () =>
      passwords.verify(input.password, account?.password_hash ?? null),
    );
    if (!matches.ok) {
      await counted.value.forgive();
      return matches;
    }
    if (!account || !matches.value) return WRONG;
    await counted.value.forgive();
    const holds = ({ password_hash }: Account) => password_hash === account.password_hash;
    return openSession(account.id, 'password', input, { holds, otherwise: WRONG });
  };
};

export type SetPasswordInput = {
  session: Session;
  /** The current password; null if the account has none or the page did not ask for it. */
  current: string | null;
  next: string;
  /** The value of the known browser's cookie; null for none. */
  known: string | null;
  /** The names (`passkeyTag`) of the passkeys to remove together with the old password. */
  passkeys: readonly string[];
};

export type HashRefusal = 'wrong_credentials' | 'too_many_attempts' | 'busy';

const GONE = refuse('wrong_credentials', { message: 'This account no longer exists.' });
const CHANGED = refuse('wrong_credentials', {
  message: 'The password was changed in the meantime; try again with the new one.',
});
const WRONG_CURRENT = refuse('wrong_credentials', { message: 'The current password is wrong.' });

/**
 * Sets the password of a session's account, ends the account's other sessions and the named passkeys, and forgets its
 * other known browsers. The session itself is renewed, so that a copied cookie stops working; the value is undefined if
 * the session has ended meanwhile. A first password needs a fresh confirmation, like any new sign-in method.
 */
export const setPassword = (
  ports: Needs<'accounts' | 'clock' | 'passwordTurns' | 'passwords' | 'pauses'> & {
    renewSession: RenewSession;
    signInMethods: SignInMethods;
    countAttempts: CountAttempts;
    endOtherSessions: EndOtherSessions;
  },
) => {
  const { accounts, signInMethods, endOtherSessions, renewSession, passwords, passwordTurns } = ports;
  const { clock, countAttempts } = ports;

  /**
   * The hash of the new password, if the current one was correct. An attempt refused for lack of capacity does not
   * count.
   */
  const hash = async (
    account: Account,
    { session, current, next }: Pick<SetPasswordInput, 'current' | 'next' | 'session'>,
  ): Promise<Outcome<string, HashRefusal>> => {
    const needsCurrent = needsCurrentPassword(account, session, clock.now());
    if (needsCurrent && (current === null || current.length > LONGEST_PASSWORD)) return WRONG_CURRENT;
    const counted = await countAttempts(needsCurrent ? currentPasswordLimits(session.id) : []);
    if (!counted.ok) return counted;
    const hashed = await passwordTurns.take('known', async () => {
      const isAllowed = !needsCurrent || (await passwords.verify(current ?? '', account.password_hash));
      return isAllowed ? passwords.hash(next) : null;
    });
    if (hashed.ok && hashed.value === null) return WRONG_CURRENT;
    await counted.value.forgive();
    return hashed.ok ? ok(hashed.value as string) : hashed;
  };

  return async function setPassword(
    permit: Permit,
    { session, current, next, known, passkeys: ended }: SetPasswordInput,
  ): Promise<
    Outcome<
      OpenedSession | undefined,
      HashRefusal | 'proof_needed' | 'passwords_off' | 'password_too_short' | 'password_too_long'
    >
  > {
    if (!signInMethods.password) return refuse('passwords_off', { message: 'Password sign-in is turned off here.' });
    const judged = judgeNewPassword(next);
    if (!judged.ok) return judged;
    const account = await accounts.get(session.account_id);
    if (!account) return GONE;
    if (account.password_hash === null && needsProof(session, clock.now())) return PROOF_NEEDED;
    const hashed = await hash(account, { session, current, next });
    if (!hashed.ok) return hashed;
    // Hashing is slow. An account that was changed meanwhile keeps the change. A password that was set meanwhile stays,
    // because the verified password is no longer the current one.
    const isWritten = await reviseLatest(ports, permit, account.id, (latest) =>
      latest.password_hash === account.password_hash ? { ...latest, password_hash: hashed.value } : null,
    );
    if (!isWritten) return CHANGED;
    await endOtherSessions(permit, session, known, (one) => ended.includes(passkeyTag(one)));
    return ok(await renewSession(session));
  };
};
