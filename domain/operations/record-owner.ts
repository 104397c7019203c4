import type { Fault } from '../shared/fault.ts';
import type { AccountEntry } from './store-document.ts';

/** The kinds of records of an account whose ids are unique in the whole store. */
export const OWNED_KINDS = ['entitlement', 'subscription', 'order', 'invoice', 'payment_method'] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];

/** An id, or a number, that one record of one account has. */
export type Claim =
  | { readonly kind: OwnedKind; readonly id: number }
  | { readonly kind: 'order' | 'invoice'; readonly number: string };

/** The account and the id of the record that has an id or number. */
export type RecordOwner = { readonly account_id: number; readonly id: number };

/** What the store's operator calls each kind. */
export const OWNED_NAMES: Readonly<Record<OwnedKind, string>> = {
  entitlement: 'entitlement',
  subscription: 'subscription',
  order: 'order',
  invoice: 'invoice',
  payment_method: 'payment method',
};

/** The record that a document gives an id or a number to, and the path of that member. */
export type PlacedClaim = { readonly path: string; readonly claim: Claim; readonly by: RecordOwner };

/** Members of an account that hold its records, by kind. */
export const OWNED_MEMBERS = {
  entitlement: 'entitlements',
  subscription: 'subscriptions',
  order: 'orders',
  invoice: 'invoices',
  payment_method: 'payment_methods',
} as const satisfies Readonly<Record<OwnedKind, keyof AccountEntry>>;

type Row = { readonly id: number };
type NumberedRow = Row & { readonly number: string };

/** An account with its records: an entry of a document, or what the store has. */
export type OwnedRows = {
  readonly id: number;
  readonly entitlements: readonly Row[];
  readonly subscriptions: readonly Row[];
  readonly orders: readonly NumberedRow[];
  readonly invoices: readonly NumberedRow[];
  readonly payment_methods: readonly Row[];
};

/** Every id and every number that an account claims, each by its path: the ids of all kinds first. */
export const claimsOf = (entry: OwnedRows, path: string): PlacedClaim[] => {
  const by = (id: number): RecordOwner => ({ account_id: entry.id, id });
  return [
    ...OWNED_KINDS.flatMap((kind) =>
      entry[OWNED_MEMBERS[kind]].map(({ id }, n) => ({
        path: `${path}.${OWNED_MEMBERS[kind]}.${n}.id`,
        claim: { kind, id },
        by: by(id),
      })),
    ),
    ...(['order', 'invoice'] as const).flatMap((kind) =>
      entry[OWNED_MEMBERS[kind]].map(({ id, number }, n) => ({
        path: `${path}.${OWNED_MEMBERS[kind]}.${n}.number`,
        claim: { kind, number },
        by: by(id),
      })),
    ),
  ];
};

/** The fault of a claim that has another owner in the store; undefined where it has none, or the claiming record. */
export const ownerFault = ({ path, claim, by }: PlacedClaim, owner: RecordOwner | undefined): Fault | undefined => {
  if (!owner) return undefined;
  const name = OWNED_NAMES[claim.kind];
  if ('id' in claim) {
    const message = `${name} ${claim.id} belongs to account ${owner.account_id}; give this one an id of its own`;
    return owner.account_id === by.account_id ? undefined : { path, message };
  }
  // The orders of the account itself are read whole, and `storedBillingFaults` compares their numbers.
  const isKnown = owner.account_id === by.account_id && (claim.kind === 'order' || owner.id === by.id);
  return isKnown
    ? undefined
    : { path, message: `${claim.number} is the number of ${name} ${owner.id} of account ${owner.account_id}` };
};
