import { type Account, normalizedEmail } from '../../domain/accounts/account.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { passwordLimits } from '../../domain/sign-in/attempts.ts';
import { isKnownTo } from '../../domain/sign-in/known-browser.ts';
import { LONGEST_EMAIL, LONGEST_PASSWORD } from '../../domain/sign-in/password-rules.ts';
import type { SignInMethods } from '../../domain/sign-in/sign-in-methods.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { CountAttempts } from './count-attempts.ts';
import { isSecret } from './is-secret.ts';
import type { OpenedSession, OpenSession, Sender } from './open-session.ts';

export type Ports = Needs<'accounts' | 'clock' | 'digest' | 'knownBrowsers' | 'passwordTurns' | 'passwords'> & {
  signInMethods: SignInMethods;
  countAttempts: CountAttempts;
  openSession: OpenSession;
};

export type Input = Sender & {
  email: string;
  password: string;
  /** The value of the cookie that a browser gets when it signs in (`RememberBrowser`); null for none. */
  known: string | null;
};

export type Refusal = 'wrong_credentials' | 'account_suspended' | 'too_many_attempts' | 'busy';

/** An id that no account has; ids begin at 1. */
const NOBODY = 0;

const WRONG: Refused<'wrong_credentials'> = refuse('wrong_credentials', {
  message: 'The e-mail address or the password is wrong.',
});

/**
 * Signs a browser in with the e-mail address and the password of an account. An address that no account has is counted,
 * verified and refused like one that an account has, and takes as long. An attempt that finds no place among the many
 * is not counted.
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
}: Ports) => {
  /** An address that no account has costs the two reads of one that has, so that the time of an answer does not tell. */
  const findAccount = async (email: string): Promise<Account | undefined> =>
    (await accounts.findByEmail(email)) ?? accounts.get(NOBODY);

  /** The hash of the browser's cookie where it signed in to this account before. */
  const findKnown = async (value: string | null, account: Account | undefined): Promise<string | null> => {
    if (!isSecret(value)) return null;
    const hash = digest.sha256(value);
    const browser = await knownBrowsers.find(hash);
    return account && isKnownTo(browser, account.id, clock.now()) ? hash : null;
  };

  return async (input: Input): Promise<Outcome<OpenedSession, Refusal>> => {
    const email = normalizedEmail(input.email);
    if (!signInMethods.password || email.length > LONGEST_EMAIL || input.password.length > LONGEST_PASSWORD) {
      return WRONG;
    }
    const account = await findAccount(email);
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

export type SignInWithPassword = ReturnType<typeof signInWithPassword>;
