import { type Order, type Refund, UNPAID_STATUSES } from '../billing/order.ts';
import {
  entitlementUnderRefund,
  keepsAccess,
  refundsLeftOut,
  subscriptionUnderRefund,
  withKeptRefunds,
} from '../billing/refund.ts';
import { type Entitlement, entitlementStatus, type Holdings } from '../licensing/entitlement.ts';
import { accessEnd, type Subscription } from '../licensing/subscription.ts';
import type { Fault } from '../shared/fault.ts';
import { dayOf, hasPassed, type Instant } from '../shared/instant.ts';
import type { AccountEntry } from './store-document.ts';

/** The records of one account that can contradict each other. */
export type BillingRecordsHeld = {
  readonly orders: readonly Pick<Order, 'id' | 'number' | 'status' | 'refunds'>[];
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
};

/**
 * Two facts of one record, or of an entitlement and its order, that do not go together. A `fault` can't be true and
 * would tell the buyer something false, so that no import takes it. A `warning` may be meant: it is told and imported.
 */
export type Contradiction = {
  readonly severity: 'fault' | 'warning';
  readonly kind: 'entitlement' | 'subscription';
  readonly id: number;
  /** The member that is probably wrong, as a dotted path within the record. */
  readonly member: string;
  /** The order that contradicts an entitlement. */
  readonly order_id?: number;
  readonly message: string;
};

type Finding = Pick<Contradiction, 'severity' | 'member' | 'message' | 'order_id'>;

const fault = (member: string, message: string): Finding[] => [{ severity: 'fault', member, message }];
const warning = (member: string, message: string): Finding[] => [{ severity: 'warning', member, message }];

const ofEntitlement = (
  entitlement: Entitlement,
  order: BillingRecordsHeld['orders'][number] | undefined,
  now: Instant,
): Finding[] => {
  const { id, granted_at, revoked_at, access_expires_at } = entitlement;
  const isLive = ['active', 'pending'].includes(entitlementStatus(entitlement, now));
  const isUnpaid =
    isLive && order !== undefined && UNPAID_STATUSES.includes(order.status) && !keepsAccess(order, entitlement);
  return [
    ...(access_expires_at !== null && access_expires_at < granted_at
      ? fault('access_expires_at', 'must not lie before granted_at')
      : []),
    ...(revoked_at !== null && revoked_at < granted_at
      ? warning('revoked_at', 'lies before granted_at, so the grant was never in force; check both dates')
      : []),
    ...(isUnpaid
      ? warning(
          'revoked_at',
          `order ${order.number} is ${order.status}, and entitlement ${id} still gives access; set its revoked_at, unless the buyer may use the product`,
        ).map((told) => ({ ...told, order_id: order.id }))
      : []),
  ];
};

const ofEnd = (subscription: Subscription, now: Instant): Finding[] => {
  if (subscription.status !== 'expired') return [];
  const { ends_at } = subscription;
  const end = accessEnd(subscription);
  if (ends_at !== null && ends_at > now) {
    const why = 'lies in the future, so the subscription gives access and cannot be expired';
    return fault('ends_at', `${why}; set the end that it had, or another status`);
  }
  return end !== null && !hasPassed(end, now)
    ? warning('grace_days', `give access until ${end} although the subscription is expired; set 0 to end it`)
    : [];
};

const ofCancellation = ({ starts_at, ends_at, cancelled_at, billing }: Subscription): Finding[] => {
  if (cancelled_at === null) return [];
  const charge = billing?.next_charge_at ?? null;
  const why = 'lies before starts_at, and the subscription gives access until';
  return [
    ...(cancelled_at < starts_at && ends_at !== null && ends_at > starts_at
      ? warning('cancelled_at', `${why} ${ends_at} all the same; set ends_at to starts_at if it should give none`)
      : []),
    ...(charge !== null && charge > cancelled_at
      ? warning(
          'billing.next_charge_at',
          'lies after cancelled_at, and buyers are not shown it; leave it out, or the cancellation',
        )
      : []),
  ];
};

const ofTrial = ({ starts_at, ends_at, billing }: Subscription): Finding[] => {
  const trialEnd = billing?.trial_ends_at ?? null;
  if (trialEnd === null) return [];
  if (trialEnd < starts_at) return fault('billing.trial_ends_at', 'must not lie before starts_at');
  return ends_at !== null && trialEnd > ends_at ? fault('billing.trial_ends_at', 'must not lie after ends_at') : [];
};

/** Every contradiction among an account's records: of its entitlements first, then of its subscriptions. */
export const contradictions = (held: BillingRecordsHeld, now: Instant): Contradiction[] => {
  const orders = new Map(held.orders.map((order) => [order.id, order]));
  return [
    ...held.entitlements.flatMap((one) => {
      const order = one.order_id === null ? undefined : orders.get(one.order_id);
      return ofEntitlement(one, order, now).map((told) => ({ kind: 'entitlement' as const, id: one.id, ...told }));
    }),
    ...held.subscriptions.flatMap((one) =>
      [...ofEnd(one, now), ...ofTrial(one), ...ofCancellation(one)].map((told) => ({
        kind: 'subscription' as const,
        id: one.id,
        ...told,
      })),
    ),
  ];
};

/** The stored rows under those of the document, which replace the ones with their ids. */
const after = <T extends { readonly id: number }>(stored: readonly T[], rows: readonly T[]): T[] => [
  ...new Map([...stored, ...rows].map((row) => [row.id, row])).values(),
];

type StoredHoldings = { readonly orders: readonly Order[]; readonly held: Holdings };

/** The records of an account as they will be once its entry is imported. No import undoes a refund by leaving it out. */
const heldAfter = (entry: AccountEntry, { orders, held }: StoredHoldings): BillingRecordsHeld => {
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
  stored: StoredHoldings,
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
