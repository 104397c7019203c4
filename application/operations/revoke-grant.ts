import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Entitlement, Holdings } from '../../domain/licensing/entitlement.ts';
import { reachOf, revokedEntitlement } from '../../domain/licensing/grant-change.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { findGrant } from './find-grant.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'grants' | 'pauses' | 'storedLicenses'>;

export type Input = {
  readonly account_id: number;
  /** The entitlement's id. */
  readonly id: number;
  /** True decides and writes nothing. */
  readonly trial?: boolean;
};

export type RevokedGrant = {
  readonly entitlement: Entitlement;
  /** `unchanged`: it was revoked before. */
  readonly result: 'revoked' | 'unchanged';
  /** The products of the entitlement that other grants still give, and those that the account may no longer use. */
  readonly usable: readonly Product[];
  readonly unusable: readonly Product[];
};

/** Revokes an entitlement for good, from the next request on. Other grants of the same product stay as they are. */
export const revokeGrant = (ports: Ports) => {
  const { catalogs, clock, grants, pauses } = ports;

  return async (
    permit: Permit,
    input: Input,
  ): Promise<Outcome<RevokedGrant, 'account_not_found' | 'grant_not_found'>> =>
    untilWritten(pauses, async () => {
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

export type RevokeGrant = ReturnType<typeof revokeGrant>;
