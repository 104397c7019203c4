import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'accounts' | 'clock' | 'ids' | 'passwords'>;

export type Input = { email: string; name: string | null; password: string | null };

/**
 * Creates an account, one per e-mail address. The owner of an account without a password signs in with a one-time link
 * or at the upstream provider.
 */
export const addAccount =
  ({ accounts, passwords, ids, clock }: Ports) =>
  async (permit: Permit, { email, name, password }: Input): Promise<Outcome<Account, 'email_taken'>> => {
    const password_hash = password === null ? null : await passwords.hash(password);
    const account: Account = { id: ids.next(), email, name, created_at: clock.now(), password_hash };
    return (await accounts.save(permit, account)) === 'email_taken'
      ? refuse('email_taken', { message: `Another account has the address ${email}.` })
      : ok(account);
  };

export type AddAccount = ReturnType<typeof addAccount>;
