import { type GrantRow, grantRows } from '../../domain/licensing/grant-rows.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'licenses'>;

/** Every entitlement and subscription of an account, in force or not, newest first. */
export const listGrants =
  ({ accounts, catalogs, licenses, clock }: Ports) =>
  async (accountId: number): Promise<Outcome<GrantRow[], 'account_not_found'>> => {
    const [account, { products }] = await Promise.all([accounts.get(accountId), catalogs.current()]);
    if (!account) return accountMissing(accountId);
    return ok(grantRows(await licenses.held(accountId), products, clock.now()));
  };

export type ListGrants = ReturnType<typeof listGrants>;
