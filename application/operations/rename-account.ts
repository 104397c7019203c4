import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accounts' | 'pauses'>;

export type Input = {
  readonly account_id: number;
  /** An absent member stays as it is; a null name takes the name away. */
  readonly email?: string;
  readonly name?: string | null;
};

export type RenamedAccount = { readonly account: Account; readonly result: 'renamed' | 'unchanged' };

/**
 * Gives an account another e-mail address or name. The owner signs in with the new address from then on; the old one is
 * free for another account. Browsers that are signed in, keys and connected applications go on.
 */
export const renameAccount =
  ({ accounts, pauses }: Ports) =>
  async (
    permit: Permit,
    { account_id, ...wish }: Input,
  ): Promise<Outcome<RenamedAccount, 'account_not_found' | 'email_taken'>> =>
    untilWritten(pauses, async () => {
      const read = await accounts.get(account_id);
      if (!read) return accountMissing(account_id);
      const account: Account = { ...read, ...wish };
      if (isSameJson(read, account)) return ok({ account, result: 'unchanged' });
      const written = await accounts.revise(permit, read, account);
      if (written === 'changed') return CONFLICT;
      return written === 'email_taken'
        ? refuse('email_taken', { message: `Another account has the address ${account.email}.` })
        : ok({ account, result: 'renamed' });
    });

export type RenameAccount = ReturnType<typeof renameAccount>;
