import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { judgeNewPassword } from '../../domain/sign-in/password-rules.ts';
import type { SignInMethods } from '../../domain/sign-in/sign-in-methods.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { reviseLatest } from '../shared/revise-latest.ts';
import type { EndOtherSessions } from '../sign-in/end-other-sessions.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accounts' | 'passwords' | 'pauses'> & {
  signInMethods: SignInMethods;
  endOtherSessions: EndOtherSessions;
};

export type Input = { accountId: number; password: string };

export type Refusal = 'account_not_found' | 'passwords_off' | 'password_too_short' | 'password_too_long';

/**
 * Sets the password of an account for its operator. All sessions and one-time links of the account end, and its known
 * browsers are forgotten. Keys and connected applications go on, as when the owner changes the password.
 */
export const resetPassword = (ports: Ports) => {
  const { accounts, passwords, signInMethods, endOtherSessions } = ports;

  return async (permit: Permit, { accountId, password }: Input): Promise<Outcome<null, Refusal>> => {
    if (!signInMethods.password) return refuse('passwords_off', { message: 'Password sign-in is turned off here.' });
    const judged = judgeNewPassword(password);
    if (!judged.ok) return judged;
    if (!(await accounts.get(accountId))) return accountMissing(accountId);
    const password_hash = await passwords.hash(password);
    // The hash takes a moment. An account that was changed meanwhile keeps the change.
    const isWritten = await reviseLatest(ports, permit, accountId, (latest) => ({ ...latest, password_hash }));
    if (!isWritten) return accountMissing(accountId);
    await endOtherSessions(permit, { id: null, account_id: accountId }, null);
    return ok(null);
  };
};

export type ResetPassword = ReturnType<typeof resetPassword>;
