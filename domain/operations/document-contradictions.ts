import type { Holdings } from '../licensing/entitlement.ts';
import type { Fault } from '../shared/fault.ts';
import type { Instant } from '../shared/instant.ts';
import { type BillingRecordsHeld, type Contradiction, contradictions } from './billing-contradictions.ts';
import type { AccountEntry } from './store-document.ts';

/** The stored rows under those of the document, which replace the ones with their ids. */
const after = <T extends { readonly id: number }>(stored: readonly T[], rows: readonly T[]): T[] => [
  ...new Map([...stored, ...rows].map((row) => [row.id, row])).values(),
];

/** The records of an account as they will be once its entry is imported. */
const heldAfter = (entry: AccountEntry, orders: BillingRecordsHeld['orders'], held: Holdings): BillingRecordsHeld => ({
  orders: after(orders, entry.orders),
  entitlements: after(
    held.entitlements,
    entry.entitlements.map((row) => ({ ...row, account_id: entry.id })),
  ),
  subscriptions: after(
    held.subscriptions,
    entry.subscriptions.map(({ billing, ...row }) => ({
      ...row,
      account_id: entry.id,
      billing: billing && { ...billing, order_number: null },
    })),
  ),
});

const MEMBERS = { entitlement: 'entitlements', subscription: 'subscriptions' } as const;

/** The path of a contradiction in the document; undefined where the document has neither of its records. */
const pathOf = (
  { kind, id, member, order_id }: Contradiction,
  entry: AccountEntry,
  path: string,
): string | undefined => {
  const rows: readonly { readonly id: number }[] = entry[MEMBERS[kind]];
  const n = rows.findIndex((row) => row.id === id);
  if (n >= 0) return `${path}.${MEMBERS[kind]}.${n}.${member}`;
  const order = order_id === undefined ? -1 : entry.orders.findIndex((row) => row.id === order_id);
  return order >= 0 ? `${path}.orders.${order}.status` : undefined;
};

/** The contradictions of one account's entry, in itself and with the store, by path in the document. */
export const documentContradictions = (
  entry: AccountEntry,
  path: string,
  stored: { readonly orders: BillingRecordsHeld['orders']; readonly held: Holdings },
  now: Instant,
): { readonly faults: Fault[]; readonly warnings: Fault[] } => {
  const placed = contradictions(heldAfter(entry, stored.orders, stored.held), now).flatMap((one) => {
    const at = pathOf(one, entry, path);
    return at === undefined ? [] : [{ severity: one.severity, path: at, message: one.message }];
  });
  const of = (wanted: Contradiction['severity']): Fault[] =>
    placed.filter(({ severity }) => severity === wanted).map(({ path: at, message }) => ({ path: at, message }));
  return { faults: of('fault'), warnings: of('warning') };
};
