import type { Permit } from '../../domain/access/permit.ts';
import { type Account, normalizedEmail } from '../../domain/accounts/account.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { currentPasswordLimits } from '../../domain/sign-in/attempts.ts';
import { LONGEST_PASSWORD } from '../../domain/sign-in/password-rules.ts';
import type { Session, SignInMethods } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { beginErasure } from '../operations/accounts.ts';
import type { CountAttempts } from './count-attempts.ts';

/** True where the owner of an account confirms a step with the password; otherwise the e-mail address is typed out. */
export const confirmsByPassword = (
  { password_hash }: Pick<Account, 'password_hash'>,
  methods: Pick<SignInMethods, 'password'>,
): boolean => methods.password && password_hash !== null;

const WRONG: Refused<'wrong_credentials'> = refuse('wrong_credentials', {
  message: 'The password is wrong, or, for an account without one, the e-mail address.',
});

/**
 * Whether the person at a signed-in browser knows the account's password or, where it has none, types its address. The
 * attempts of a session are bounded as those at its current password; one that finds no place is not counted.
 */
export const confirmOwner =
  ({
    passwords,
    passwordTurns,
    countAttempts,
    signInMethods,
  }: Needs<'passwordTurns' | 'passwords'> & { countAttempts: CountAttempts; signInMethods: SignInMethods }) =>
  async (
    session: Session,
    account: Account,
    typed: string,
  ): Promise<Outcome<null, 'wrong_credentials' | 'too_many_attempts' | 'busy'>> => {
    if (typed.length > LONGEST_PASSWORD) return WRONG;
    const counted = await countAttempts(currentPasswordLimits(session.id));
    if (!counted.ok) return counted;
    const matches = confirmsByPassword(account, signInMethods)
      ? await passwordTurns.take('known', () => passwords.verify(typed, account.password_hash))
      : ok(normalizedEmail(typed) === normalizedEmail(account.email));
    if (matches.ok && !matches.value) return WRONG;
    await counted.value.forgive();
    return matches.ok ? ok(null) : matches;
  };

export type ConfirmOwner = ReturnType<typeof confirmOwner>;

/**
 * Begins to erase the account of a session, once its owner confirmed it: nothing opens the account any more, and the
 * worker removes the rest (`completeErasure`), which reads the whole store. A call that broke off is completed by the
 * same call, as long as the session lives.
 */
export const eraseOwnAccount = (
  ports: Needs<'accountErasures' | 'accounts' | 'clock' | 'pauses'> & { confirmOwner: ConfirmOwner },
) => {
  const { accounts, accountErasures, clock, confirmOwner: confirm } = ports;
  const begin = beginErasure(ports);

  return async (
    permit: Permit,
    session: Session,
    typed: string,
  ): Promise<Outcome<null, 'account_not_found' | 'wrong_credentials' | 'too_many_attempts' | 'busy'>> => {
    const account = await accounts.get(session.account_id);
    const confirmed = account ? await confirm(session, account, typed) : ok(null);
    if (!confirmed.ok) return confirmed;
    const begun = await begin(permit, session.account_id, clock.now());
    if (!begun.ok) return begun;
    await accountErasures.close(permit, session.account_id);
    return ok(null);
  };
};

export type EraseOwnAccount = ReturnType<typeof eraseOwnAccount>;
