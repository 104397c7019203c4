import type { ApiKey } from '../../domain/access/api-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'accounts' | 'apiKeys'>;

/** The keys of an account, oldest first, including keys that ended recently. */
export const listApiKeys =
  ({ accounts, apiKeys }: Ports) =>
  async (accountId: number): Promise<Outcome<ApiKey[], 'account_not_found'>> => {
    const [account, scopes] = await Promise.all([accounts.get(accountId), apiKeys.scopes(accountId)]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${accountId}.` });
    return ok(scopes.flatMap((scope) => scope.keys).sort((a, b) => a.id - b.id));
  };

export type ListApiKeys = ReturnType<typeof listApiKeys>;
