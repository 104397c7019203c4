import type { Claim, RecordOwner } from '../../../domain/operations/record-owner.ts';
import type { KeyOf } from '../table.ts';
import { padded } from './shared.ts';

/** An owner as it is stored, with the sort key of its record, so that no record lies in two places. */
export type StoredOwner = RecordOwner & { readonly sk: string };

/** Where the owner of an id or of a number lies. */
export const ownerKey = (claim: Claim): KeyOf<StoredOwner> => {
  const kind = claim.kind.toUpperCase();
  return 'id' in claim
    ? { pk: `OWNER#${kind}#${padded(claim.id)}`, sk: 'OWNER' }
    : { pk: `NUMBER#${kind}#${claim.number}`, sk: 'OWNER' };
};
