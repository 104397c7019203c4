import type { Fault } from '../shared/fault.ts';

/**
 * The kinds of records whose id and number are unique in the whole store, because people quote them without naming the
 * account. Ids of other records are unique within their account.
 */
export const OWNED_KINDS = ['order', 'invoice'] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];

/** An id or a number that belongs to one record of one account. */
export type Claim =
  | { readonly kind: OwnedKind; readonly id: number }
  | { readonly kind: OwnedKind; readonly number: string };

export type RecordOwner = { readonly account_id: number; readonly id: number };

/** A claim with the path of its field, and the record that makes it. */
export type PlacedClaim = { readonly path: string; readonly claim: Claim; readonly by: RecordOwner };

export type Row = { readonly id: number; readonly number: string };

/** An account with its orders and invoices, from a document or from the store. */
export type OwnedRows = { readonly id: number; readonly orders: readonly Row[]; readonly invoices: readonly Row[] };

/** Every id and number that an account claims, with its path, in the order of the rows. */
export const claimsOf = (account: OwnedRows, path: string): PlacedClaim[] =>
  OWNED_KINDS.flatMap((kind) =>
    account[`${kind}s`].flatMap(({ id, number }, n) => {
      const at = `${path}.${kind}s.${n}`;
      const by = { account_id: account.id, id };
      return [
        { path: `${at}.id`, claim: { kind, id }, by },
        { path: `${at}.number`, claim: { kind, number }, by },
      ];
    }),
  );

/**
 * The fault of a claim that belongs to another record in the store; undefined if it is free or belongs to the claiming
 * record.
 */
export const ownerFault = ({ path, claim, by }: PlacedClaim, owner: RecordOwner | undefined): Fault | undefined => {
  if (!owner || (owner.account_id === by.account_id && owner.id === by.id)) return undefined;
  const message =
    'id' in claim
      ? `${claim.kind} ${claim.id} belongs to account ${owner.account_id}; give this one an id of its own`
      : `${claim.number} is the number of ${claim.kind} ${owner.id} of account ${owner.account_id}`;
  return { path, message };
};
