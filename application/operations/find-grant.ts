import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './find-account.ts';

export type Ports = Needs<'accounts' | 'storedLicenses'>;

export type FoundGrant = { readonly entitlement: Entitlement; readonly holdings: Holdings };

/** The entitlement of an account with an id, among all that the account holds. */
export const findGrant = async (
  { accounts, storedLicenses }: Ports,
  { account_id, id }: { readonly account_id: number; readonly id: number },
): Promise<Outcome<FoundGrant, 'account_not_found' | 'grant_not_found'>> => {
  const [account, holdings] = await Promise.all([accounts.get(account_id), storedLicenses.held(account_id)]);
  if (!account) return accountMissing(account_id);
  const entitlement = holdings.entitlements.find((one) => one.id === id);
  if (entitlement) return ok({ entitlement, holdings });
  const isSubscription = holdings.subscriptions.some((one) => one.id === id);
  return refuse('grant_not_found', {
    message: isSubscription
      ? `${id} is a subscription of account ${account_id}, which ends by its dates; only entitlements are changed here.`
      : `Account ${account_id} has no entitlement ${id}; "grant list --account ${account_id}" shows those that it has.`,
  });
};
