import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { renewedEntitlements } from '../../domain/licensing/access.ts';
import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import {
  extendedAsStored,
  extendedEntitlement,
  type GrantExtension,
  type GrantRow,
  grantRows,
  reachOf,
  revokedEntitlement,
} from '../../domain/licensing/grant-change.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from '../accounts/accounts.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type FoundGrant = { readonly entitlement: Entitlement; readonly holdings: Holdings };

/** The account's entitlement with an id, among all that it holds. */
export const findGrant = async (
  { accounts, storedLicenses }: Needs<'accounts' | 'storedLicenses'>,
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

type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'licenses'>;

/** Every entitlement and subscription of an account, in force or not, newest first. */
export const listGrants = ({ accounts, catalogs, licenses, clock }: Ports) =>
  async function listGrants({ account_id }: { account_id: number }): Promise<Outcome<GrantRow[], 'account_not_found'>> {
    const [account, catalog] = await Promise.all([accounts.get(account_id), catalogs.current()]);
    if (!account) return accountMissing(account_id);
    return ok(grantRows(await licenses.held(account_id), catalog, clock.now()));
  };

export type ExtendInput = {
  readonly account_id: number;
  /** The entitlement's id. */
  readonly id: number;
  readonly extension: GrantExtension;
};

export type ExtendedGrant = { readonly entitlement: Entitlement; readonly result: 'extended' | 'unchanged' };

type NotExtended = 'account_not_found' | 'grant_not_found' | 'grant_is_revoked' | 'expiry_has_passed' | 'would_shorten';

/** Extends the terms of an entitlement, and never shortens them (`extendedEntitlement`). */
export const extendGrant = (
  ports: Needs<'accounts' | 'catalogs' | 'clock' | 'grants' | 'pauses' | 'storedLicenses'>,
) => {
  const { catalogs, clock, grants, pauses } = ports;

  return async function extendGrant(
    permit: Permit,
    { extension, ...named }: ExtendInput,
  ): Promise<Outcome<ExtendedGrant, NotExtended>> {
    const { products, bundles } = await catalogs.current();
    return untilWritten(pauses, async () => {
      const found = await findGrant(ports, named);
      if (!found.ok) return found;
      const { entitlement: read, holdings } = found.value;
      const renewed = renewedEntitlements(holdings, bundles).find(({ id }) => id === read.id) ?? read;
      const limit = products.get(read.product_id)?.device_limit ?? null;
      const extended = extendedEntitlement(renewed, extension, limit, clock.now());
      if (!extended.ok) return extended;
      const entitlement = extended.value;
      if (entitlement === renewed) return ok({ entitlement, result: 'unchanged' });
      const after = extendedAsStored(read, renewed, entitlement);
      const written = await grants.reviseEntitlement(permit, read, after, 'extended');
      return written ? ok({ entitlement, result: 'extended' }) : CONFLICT;
    });
  };
};

export type RevokeInput = {
  readonly account_id: number;
  /** The entitlement's id. */
  readonly id: number;
  /** If true, returns the decision and writes nothing. */
  readonly trial?: boolean;
};

export type RevokedGrant = {
  readonly entitlement: Entitlement;
  /** `unchanged`: it was already revoked. */
  readonly result: 'revoked' | 'unchanged';
  /** The products of the entitlement that other grants still include, and those that the account may no longer use. */
  readonly usable: readonly Product[];
  readonly unusable: readonly Product[];
};

/** Revokes an entitlement permanently, from the next request on. Other grants of the same product stay. */
export const revokeGrant = (
  ports: Needs<'accounts' | 'catalogs' | 'clock' | 'grants' | 'pauses' | 'storedLicenses'>,
) => {
  const { catalogs, clock, grants, pauses } = ports;

  return async function revokeGrant(
    permit: Permit,
    input: RevokeInput,
  ): Promise<Outcome<RevokedGrant, 'account_not_found' | 'grant_not_found'>> {
    return untilWritten(pauses, async () => {
      const found = await findGrant(ports, input);
      if (!found.ok) return found;
      const { entitlement: read, holdings } = found.value;
      const now = clock.now();
      const entitlement = revokedEntitlement(read, now);
      const after: Holdings = {
        ...holdings,
        entitlements: holdings.entitlements.map((one) => (one === read ? entitlement : one)),
      };
      const reach = reachOf(entitlement, await catalogs.current(), after, now);
      const revoked = ok({ entitlement, result: entitlement === read ? 'unchanged' : 'revoked', ...reach } as const);
      if (input.trial || entitlement === read) return revoked;
      return (await grants.reviseEntitlement(permit, read, entitlement, 'revoked')) ? revoked : CONFLICT;
    });
  };
};
