import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';

/** The refusal of an account that is not there. */
export const accountMissing = (named: number | string): Refused<'account_not_found'> =>
  refuse('account_not_found', { message: `There is no account ${named}; "account list" lists them.` });

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
    return account ? ok(account.id) : accountMissing(named);
  };

export type FindAccount = ReturnType<typeof findAccount>;
