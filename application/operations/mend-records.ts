import type { Permit } from '../../domain/access/permit.ts';
import { claimsOf } from '../../domain/operations/record-owner.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/**
 * Gives the records that an older version stored what newer ones have. Orders and invoices get the owners of their ids
 * and numbers, so that no other account can take them; one whose id or number another account has stays without.
 * Tickets get into the lists of their accounts, but those of an erased account. Screens are indexed anew, so that words
 * find them. The records themselves stay as they are.
 *
 * Returns the number of orders and invoices that got an owner, of tickets that were not listed, and of screens.
 */
export const mendRecords = (
  ports: Needs<
    'accounts' | 'billingRecords' | 'galleryEditor' | 'invoices' | 'recordOwners' | 'storedOrders' | 'tickets'
  >,
) => {
  const { accounts, storedOrders, invoices, recordOwners, billingRecords, tickets, galleryEditor } = ports;
  const ofAccount = async (permit: Permit, id: number): Promise<number> => {
    const every = { limit: Number.POSITIVE_INFINITY, passes: () => true };
    const [orders, billed] = await Promise.all([storedOrders.ofAccount(id), invoices.newest(id, every)]);
    const saves = [
      ...orders.map((order) => () => billingRecords.saveOrder(permit, order)),
      ...billed.map((invoice) => () => billingRecords.saveInvoice(permit, invoice)),
    ];
    const claims = claimsOf({ id, orders, invoices: billed }, '');
    const owners = await recordOwners.of(claims.map(({ claim }) => claim));
    let mended = 0;
    for (const [n, save] of saves.entries()) {
      // Each record claims its id and its number.
      if (owners.slice(2 * n, 2 * n + 2).includes(undefined) && (await save()) !== 'taken') mended++;
    }
    return mended;
  };

  return async (
    permit: Permit,
  ): Promise<{ readonly owned: number; readonly listed: number; readonly indexed: number }> => {
    let [owned, listed] = [0, 0];
    for await (const { id } of accounts.list()) owned += await ofAccount(permit, id);
    for await (const ticket of tickets.list()) if (await tickets.enlist(permit, ticket)) listed++;
    return { owned, listed, indexed: await galleryEditor.reindex(permit) };
  };
};
