import type { Permit } from '../../domain/access/permit.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import { extendedEntitlement, type GrantExtension } from '../../domain/licensing/grant-change.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { findGrant } from './find-grant.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'grants' | 'pauses' | 'storedLicenses'>;

export type Input = {
  readonly account_id: number;
  /** The entitlement's id. */
  readonly id: number;
  readonly extension: GrantExtension;
};

export type ExtendedGrant = { readonly entitlement: Entitlement; readonly result: 'extended' | 'unchanged' };

export type Refusal =
  | 'account_not_found'
  | 'grant_not_found'
  | 'grant_is_revoked'
  | 'expiry_has_passed'
  | 'would_shorten';

/** Extends the terms of an entitlement. Nothing is ever taken away by it (`extendedEntitlement`). */
export const extendGrant = (ports: Ports) => {
  const { catalogs, clock, grants, pauses } = ports;

  return async (permit: Permit, { extension, ...named }: Input): Promise<Outcome<ExtendedGrant, Refusal>> => {
    const { products } = await catalogs.current();
    return untilWritten(pauses, async () => {
      const found = await findGrant(ports, named);
      if (!found.ok) return found;
      const { entitlement: read } = found.value;
      const limit = products.get(read.product_id)?.device_limit ?? null;
      const extended = extendedEntitlement(read, extension, limit, clock.now());
      if (!extended.ok) return extended;
      const entitlement = extended.value;
      if (entitlement === read) return ok({ entitlement, result: 'unchanged' });
      const written = await grants.reviseEntitlement(permit, read, entitlement, 'extended');
      return written ? ok({ entitlement, result: 'extended' }) : CONFLICT;
    });
  };
};

export type ExtendGrant = ReturnType<typeof extendGrant>;
