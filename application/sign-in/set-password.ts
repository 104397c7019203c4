import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { currentPasswordLimits } from '../../domain/sign-in/attempts.ts';
import { judgeNewPassword, LONGEST_PASSWORD, needsCurrentPassword } from '../../domain/sign-in/password-rules.ts';
import type { Session } from '../../domain/sign-in/session.ts';
import type { Accounts, Passwords } from '../../ports/outbound/accounts.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { CountAttempts } from './count-attempts.ts';
import type { EndOtherSessions } from './end-other-sessions.ts';

type Ports = {
  accounts: Accounts;
  passwords: Passwords;
  clock: Clock;
  countAttempts: CountAttempts;
  endOtherSessions: EndOtherSessions;
};

type Input = {
  session: Session;
  /** The current password; null where the account has none or the person was not asked for it. */
  current: string | null;
  next: string;
};

type Refusal = 'wrong_credentials' | 'password_too_short' | 'password_too_long' | 'too_many_attempts';

/** Sets the password of a session's account, and ends the account's other sessions. */
export class SetPassword {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(permit: Permit, { session, current, next }: Input): Promise<Outcome<null, Refusal>> {
    const { accounts, passwords, endOtherSessions } = this.#ports;
    const judged = judgeNewPassword(next);
    if (!judged.ok) return judged;
    const account = await accounts.get(session.account_id);
    if (!account) return refuse('wrong_credentials', { message: 'This account is gone.' });
    const allowed = await this.#allow(account, session, current);
    if (!allowed.ok) return allowed;
    const password_hash = await passwords.hash(next);
    // The hash takes a moment. An account that was changed meanwhile keeps the change.
    const latest = (await accounts.get(account.id)) ?? account;
    await accounts.save({ ...latest, password_hash });
    await endOtherSessions.execute(permit, session);
    return ok(null);
  }

  async #allow(
    account: Account,
    session: Session,
    current: string | null,
  ): Promise<Outcome<null, 'wrong_credentials' | 'too_many_attempts'>> {
    const { passwords, clock, countAttempts } = this.#ports;
    if (!needsCurrentPassword(account, session, clock.now())) return ok(null);
    const wrong = refuse('wrong_credentials', { message: 'The current password is wrong.' });
    if (current === null || current.length > LONGEST_PASSWORD) return wrong;
    const counted = await countAttempts.execute(currentPasswordLimits(session.id));
    if (!counted.ok) return counted;
    if (!(await passwords.verify(current, account.password_hash))) return wrong;
    await counted.value.forgive();
    return ok(null);
  }
}
