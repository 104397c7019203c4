import { type GrantRow, grantRows } from '../../domain/licensing/grant-rows.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import { accountMissing } from './find-account.ts';

export type Ports = { accounts: Accounts; catalogs: Catalogs; licenses: Licenses; clock: Clock };

/** Every entitlement and subscription of an account, in force or not, newest first. */
export const listGrants =
  ({ accounts, catalogs, licenses, clock }: Ports) =>
  async (accountId: number): Promise<Outcome<GrantRow[], 'account_not_found'>> => {
    const [account, { products }] = await Promise.all([accounts.get(accountId), catalogs.current()]);
    if (!account) return accountMissing(accountId);
    return ok(grantRows(await licenses.held(accountId), products, clock.now()));
  };

export type ListGrants = ReturnType<typeof listGrants>;
