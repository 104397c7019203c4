import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';

export type Ports = { accounts: Accounts };

/**
 * The number of an account, which the operator names by it or by the e-mail address.
 *
 * A number is taken as it is, because commands about erased accounts need it too. An address has to be known.
 */
export const findAccount =
  ({ accounts }: Ports) =>
  async (named: string): Promise<Outcome<number, 'account_not_found'>> => {
    if (/^[1-9]\d*$/.test(named)) return ok(Number(named));
    const account = await accounts.findByEmail(named);
    if (account) return ok(account.id);
    return refuse('account_not_found', {
      message: `There is no account ${named}; "account list" lists them.`,
    });
  };

export type FindAccount = ReturnType<typeof findAccount>;
