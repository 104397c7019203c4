import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { ReadScopeKeys } from '../../ports/outbound/credentials.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading, untilWritten } from '../shared/contended.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accounts' | 'apiKeys' | 'clock' | 'pauses'>;

export type SuspendedAccount = {
  readonly account: Account;
  readonly result: 'suspended' | 'reinstated' | 'unchanged';
};

/**
 * Suspends an account, or reinstates it. While it is suspended, no key, session or token of it works, from the next
 * request on, and its licenses are answered as revoked. Nothing is lost: all of them work again afterwards. The account
 * itself decides, and its keys follow it, because a request with a key reads nothing but the key. A call that broke off
 * is completed by the same call.
 */
export const suspendAccount = ({ accounts, apiKeys, clock, pauses }: Ports) => {
  const follow = (permit: Permit, first: ReadScopeKeys): Promise<null> => {
    const read = () => apiKeys.scope(first.account_id, first.product_id);
    return rereading(pauses, first, read, async (scope) => ((await apiKeys.follow(permit, scope)) ? null : CONFLICT));
  };

  return async (
    permit: Permit,
    { account_id, suspended }: { readonly account_id: number; readonly suspended: boolean },
  ): Promise<Outcome<SuspendedAccount, 'account_not_found'>> => {
    const changed = await untilWritten(pauses, async () => {
      const read = await accounts.get(account_id);
      if (!read) return accountMissing(account_id);
      const { suspended_at, ...open } = read;
      if ((suspended_at !== undefined) === suspended) return ok({ account: read, result: 'unchanged' as const });
      const account = suspended ? { ...open, suspended_at: clock.now() } : open;
      if ((await accounts.revise(permit, read, account)) !== 'updated') return CONFLICT;
      return ok({ account, result: suspended ? ('suspended' as const) : ('reinstated' as const) });
    });
    if (changed.ok) for (const scope of await apiKeys.scopes(account_id)) await follow(permit, scope);
    return changed;
  };
};

export type SuspendAccount = ReturnType<typeof suspendAccount>;
