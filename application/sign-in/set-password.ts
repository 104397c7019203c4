import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { currentPasswordLimits } from '../../domain/sign-in/attempts.ts';
import { judgeNewPassword, LONGEST_PASSWORD, needsCurrentPassword } from '../../domain/sign-in/password-rules.ts';
import type { Session } from '../../domain/sign-in/session.ts';
import type { SignInMethods } from '../../domain/sign-in/sign-in-methods.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { reviseLatest } from '../shared/revise-latest.ts';
import type { CountAttempts } from './count-attempts.ts';
import type { EndOtherSessions } from './end-other-sessions.ts';

export type Ports = Needs<'accounts' | 'clock' | 'passwordTurns' | 'passwords' | 'pauses'> & {
  signInMethods: SignInMethods;
  countAttempts: CountAttempts;
  endOtherSessions: EndOtherSessions;
};

export type Input = {
  session: Session;
  /** The current password; null where the account has none or the person was not asked for it. */
  current: string | null;
  next: string;
  /** The value of the cookie that the browser is known by; null for none. */
  known: string | null;
};

export type HashRefusal = 'wrong_credentials' | 'too_many_attempts' | 'busy';
export type Refusal = HashRefusal | 'passwords_off' | 'password_too_short' | 'password_too_long';

const GONE = refuse('wrong_credentials', { message: 'This account is gone.' });
const CHANGED = refuse('wrong_credentials', {
  message: 'The password was changed in the meantime; try again with the new one.',
});
const WRONG = refuse('wrong_credentials', { message: 'The current password is wrong.' });

/** Sets the password of a session's account, ends the account's other sessions, and forgets its other known browsers. */
export const setPassword = (ports: Ports) => {
  const { accounts, signInMethods, endOtherSessions, passwords, passwordTurns, clock, countAttempts } = ports;

  /** The hash of the new password, once the current one was right. An attempt that finds no place is not counted. */
  const hash = async (
    account: Account,
    { session, current, next }: Omit<Input, 'known'>,
  ): Promise<Outcome<string, HashRefusal>> => {
    const needsCurrent = needsCurrentPassword(account, session, clock.now());
    if (needsCurrent && (current === null || current.length > LONGEST_PASSWORD)) return WRONG;
    const counted = await countAttempts(needsCurrent ? currentPasswordLimits(session.id) : []);
    if (!counted.ok) return counted;
    const hashed = await passwordTurns.take('known', async () => {
      const isAllowed = !needsCurrent || (await passwords.verify(current ?? '', account.password_hash));
      return isAllowed ? passwords.hash(next) : null;
    });
    if (hashed.ok && hashed.value === null) return WRONG;
    await counted.value.forgive();
    return hashed.ok ? ok(hashed.value as string) : hashed;
  };

  return async (permit: Permit, { session, current, next, known }: Input): Promise<Outcome<null, Refusal>> => {
    if (!signInMethods.password) return refuse('passwords_off', { message: 'Password sign-in is turned off here.' });
    const judged = judgeNewPassword(next);
    if (!judged.ok) return judged;
    const account = await accounts.get(session.account_id);
    if (!account) return GONE;
    const hashed = await hash(account, { session, current, next });
    if (!hashed.ok) return hashed;
    // The hash takes a moment. An account that was changed meanwhile keeps the change, and a password that was set
    // meanwhile stays: the current one that was verified is not the current one any more.
    const isWritten = await reviseLatest(ports, permit, account.id, (latest) =>
      latest.password_hash === account.password_hash ? { ...latest, password_hash: hashed.value } : null,
    );
    if (!isWritten) return CHANGED;
    await endOtherSessions(permit, session, known);
    return ok(null);
  };
};

export type SetPassword = ReturnType<typeof setPassword>;
