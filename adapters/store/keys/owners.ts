import type { Claim, RecordOwner } from '../../../domain/operations/record-owner.ts';
import type { KeyOf } from './families.ts';
import { padded } from './shared.ts';

/** Where the owner of an id or of a number lies. */
export const ownerKey = (claim: Claim): KeyOf<RecordOwner> => {
  const kind = claim.kind.toUpperCase();
  return 'id' in claim
    ? { pk: `OWNER#${kind}#${padded(claim.id)}`, sk: 'OWNER' }
    : { pk: `NUMBER#${kind}#${claim.number}`, sk: 'OWNER' };
};
