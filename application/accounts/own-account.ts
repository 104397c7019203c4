import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { isSameAddress } from '../../domain/accounts/address.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { currentPasswordLimits } from '../../domain/sign-in/attempts.ts';
import { LONGEST_PASSWORD } from '../../domain/sign-in/password-rules.ts';
import type { Session, SignInMethods } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { CountAttempts } from '../sign-in/count-attempts.ts';
import type { OpenedSession, RenewSession } from '../sign-in/sessions.ts';
import { beginErasure } from './accounts.ts';

/** True if the account's owner can confirm by password; otherwise the owner must sign in again. */
export const provesByPassword = (
  { password_hash }: Pick<Account, 'password_hash'>,
  methods: Pick<SignInMethods, 'password'>,
): boolean => methods.password && password_hash !== null;

/** The refusal of a step that needs a recent confirmation. */
export const PROOF_NEEDED = refuse('proof_needed', { message: 'Sign in again, or confirm with the password.' });
const WRONG = refuse('wrong_credentials', { message: 'The password is wrong.' });

export type ProofRefusal = 'proof_needed' | 'wrong_credentials' | 'too_many_attempts' | 'busy';

type Ports = Needs<'accounts' | 'passwordTurns' | 'passwords'> & {
  countAttempts: CountAttempts;
  renewSession: RenewSession;
  signInMethods: SignInMethods;
};

/**
 * Confirms the owner of a signed-in browser by the account's password, and renews the session. The attempts of a
 * session are limited; an attempt that can't be hashed for lack of capacity does not count.
 */
export const proveOwner = ({ accounts, passwords, passwordTurns, countAttempts, renewSession, signInMethods }: Ports) =>
  async function proveOwner(session: Session, typed: string): Promise<Outcome<OpenedSession, ProofRefusal>> {
    const account = typed === '' ? undefined : await accounts.get(session.account_id);
    if (!account || !provesByPassword(account, signInMethods)) return PROOF_NEEDED;
    if (typed.length > LONGEST_PASSWORD) return WRONG;
    const counted = await countAttempts(currentPasswordLimits(session.id));
    if (!counted.ok) return counted;
    const matches = await passwordTurns.take('known', () => passwords.verify(typed, account.password_hash));
    if (matches.ok && !matches.value) return WRONG;
    await counted.value.forgive();
    if (!matches.ok) return matches;
    const renewed = await renewSession(session);
    return renewed ? ok(renewed) : PROOF_NEEDED;
  };

/**
 * Starts the erasure of the session's account, after the owner typed its address to confirm. Nobody can sign in any
 * more, and the worker deletes the rest (`completeErasure`), which takes a read of the whole store. Repeating an
 * interrupted call completes it while the session lives.
 */
export const eraseOwnAccount = (ports: Needs<'accountErasures' | 'accounts' | 'clock' | 'members' | 'pauses'>) => {
  const { accounts, accountErasures, clock } = ports;
  const begin = beginErasure(ports);

  return async function eraseOwnAccount(
    permit: Permit,
    session: Session,
    typed: string,
  ): Promise<Outcome<null, 'account_not_found' | 'account_of_member' | 'wrong_email'>> {
    const account = await accounts.get(session.account_id);
    if (account && !isSameAddress(typed, account.email)) {
      return refuse('wrong_email', { message: 'This is not the email address of the account.' });
    }
    const begun = await begin(permit, session.account_id, clock.now());
    if (!begun.ok) return begun;
    await accountErasures.close(permit, session.account_id);
    return ok(null);
  };
};
