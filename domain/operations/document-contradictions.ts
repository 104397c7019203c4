import type { Order, Refund } from '../billing/order.ts';
import { entitlementUnderRefund, refundsLeftOut, subscriptionUnderRefund, withKeptRefunds } from '../billing/refund.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import type { Subscription } from '../licensing/subscription.ts';
import type { Fault } from '../shared/fault.ts';
import { dayOf, type Instant } from '../shared/instant.ts';
import { type BillingRecordsHeld, type Contradiction, contradictions } from './billing-contradictions.ts';
import type { AccountEntry } from './store-document.ts';

/** The stored rows under those of the document, which replace the ones with their ids. */
const after = <T extends { readonly id: number }>(stored: readonly T[], rows: readonly T[]): T[] => [
  ...new Map([...stored, ...rows].map((row) => [row.id, row])).values(),
];

type Stored = { readonly orders: readonly Order[]; readonly held: Holdings };

/** The records of an account as they will be once its entry is imported. No import undoes a refund by leaving it out. */
const heldAfter = (entry: AccountEntry, { orders, held }: Stored): BillingRecordsHeld => {
  const before = new Map(orders.map((order) => [order.id, order]));
  const ordered = after(
    orders,
    entry.orders.map((row) => withKeptRefunds({ ...row, account_id: entry.id }, before.get(row.id))),
  );
  const byId = new Map(ordered.map((order) => [order.id, order]));
  const under = <T>(record: T, orderId: number | null, rule: (record: T, order: Order) => T): T => {
    const order = orderId === null ? undefined : byId.get(orderId);
    return order ? rule(record, order) : record;
  };
  return {
    orders: ordered,
    entitlements: after(
      held.entitlements,
      entry.entitlements.map((row) => under({ ...row, account_id: entry.id }, row.order_id, entitlementUnderRefund)),
    ),
    subscriptions: after(
      held.subscriptions,
      entry.subscriptions.map(({ billing, ...row }) => {
        const subscription = { ...row, account_id: entry.id, billing: billing && { ...billing, order_number: null } };
        return under<Subscription>(subscription, billing?.order_id ?? null, subscriptionUnderRefund);
      }),
    ),
  };
};

const warningOf = (
  row: AccountEntry['orders'][number],
  kept: Order,
  [first]: readonly Refund[],
): string | undefined => {
  if (first === undefined) return undefined;
  const day = dayOf(first.refunded_at);
  if (row.refunds?.length === 0) {
    return `order ${row.number} was refunded on ${day}, and "refunds": [] undoes that; take the member out to keep the refund`;
  }
  if (kept.status === row.status) return undefined;
  return `order ${row.number} was refunded on ${day} and stays ${kept.status}; write that status here, or "refunds": [] to undo the refund`;
};

/** A warning for each order that the document shows without a refund of it, and for each whose refunds it undoes. */
const refundWarnings = (entry: AccountEntry, path: string, orders: readonly Order[]): Fault[] => {
  const before = new Map(orders.map((order) => [order.id, order]));
  return entry.orders.flatMap((row, n) => {
    const order = { ...row, account_id: entry.id };
    const stored = before.get(row.id);
    const message = warningOf(row, withKeptRefunds(order, stored), refundsLeftOut(order, stored));
    const member = row.refunds?.length === 0 ? 'refunds' : 'status';
    return message === undefined ? [] : [{ path: `${path}.orders.${n}.${member}`, message }];
  });
};

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
  stored: Stored,
  now: Instant,
): { readonly faults: Fault[]; readonly warnings: Fault[] } => {
  const placed = contradictions(heldAfter(entry, stored), now).flatMap((one) => {
    const at = pathOf(one, entry, path);
    return at === undefined ? [] : [{ severity: one.severity, path: at, message: one.message }];
  });
  const of = (wanted: Contradiction['severity']): Fault[] =>
    placed.filter(({ severity }) => severity === wanted).map(({ path: at, message }) => ({ path: at, message }));
  return { faults: of('fault'), warnings: [...refundWarnings(entry, path, stored.orders), ...of('warning')] };
};
