import type { Permit } from '../../domain/access/permit.ts';
import type { Claim, OwnedKind } from '../../domain/operations/record-owner.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { BillingRecords, Invoices, Orders } from '../../ports/outbound/billing.ts';
import type { RecordOwners, SavedRecord } from '../../ports/outbound/record-owners.ts';

export type Ports = {
  accounts: Accounts;
  /** The built-in store's own, because only its records have owners. */
  storedOrders: Orders;
  invoices: Invoices;
  recordOwners: RecordOwners;
  billingRecords: BillingRecords;
};

type Row = { readonly id: number; readonly number: string };

const claimsOf = (kind: OwnedKind, { id, number }: Row): [Claim, Claim] => [
  { kind, id },
  { kind, number },
];

/**
 * Gives the orders and invoices that an older version stored the owners of their ids and numbers, so that no other
 * account can take them. The records stay as they are. A record whose id or number another account has stays without.
 *
 * Returns the number of records that got an owner.
 */
export const mendOwners = ({ accounts, storedOrders, invoices, recordOwners, billingRecords }: Ports) => {
  const ofAccount = async (permit: Permit, accountId: number): Promise<number> => {
    const every = { limit: Number.POSITIVE_INFINITY, passes: () => true };
    const [orders, billed] = await Promise.all([storedOrders.ofAccount(accountId), invoices.newest(accountId, every)]);
    const rows: { readonly claims: [Claim, Claim]; readonly save: () => Promise<SavedRecord> }[] = [
      ...orders.map((order) => ({
        claims: claimsOf('order', order),
        save: () => billingRecords.saveOrder(permit, order),
      })),
      ...billed.map((one) => ({
        claims: claimsOf('invoice', one),
        save: () => billingRecords.saveInvoice(permit, one),
      })),
    ];
    const owners = await recordOwners.of(rows.flatMap(({ claims }) => claims));
    let mended = 0;
    for (const [n, { save }] of rows.entries()) {
      if (owners.slice(2 * n, 2 * n + 2).includes(undefined) && (await save()) !== 'taken') mended++;
    }
    return mended;
  };

  return async (permit: Permit): Promise<number> => {
    let mended = 0;
    for await (const { id } of accounts.list()) mended += await ofAccount(permit, id);
    return mended;
  };
};

export type MendOwners = ReturnType<typeof mendOwners>;
