import { type Order, UNPAID_STATUSES } from '../billing/order.ts';
import {
  entitlementUnderRefund,
  keepsAccess,
  refundsLeftOut,
  subscriptionUnderRefund,
  withKeptRefunds,
} from '../billing/refund.ts';
import { renewedEntitlements } from '../licensing/access.ts';
import { type Entitlement, entitlementStatus, type Holdings } from '../licensing/entitlement.ts';
import { accessEnd, type Subscription } from '../licensing/subscription.ts';
import { type Fault, faultsAt } from '../shared/fault.ts';
import { dayOf, hasPassed, type Instant } from '../shared/instant.ts';
import type { AccountEntry } from './store-document.ts';

/** The records of one account that can contradict each other. */
export type BillingRecordsHeld = {
  readonly orders: readonly Pick<Order, 'id' | 'number' | 'status' | 'refunds'>[];
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
};

/**
 * Two facts of one record, or of an entitlement and its order, that contradict each other. A `fault` can't be true and
 * would mislead the buyer, so imports refuse it. A `warning` may be intended: it is reported and imported.
 */
export type Contradiction = {
  readonly severity: 'fault' | 'warning';
  readonly kind: 'entitlement' | 'subscription';
  readonly id: number;
  /** The field that is probably wrong, as a dotted path within the record. */
  readonly member: string;
  /** The order that contradicts an entitlement. */
  readonly order_id?: number;
  readonly message: string;
};

type Finding = readonly [
  severity: Contradiction['severity'],
  isThere: boolean,
  member: string,
  message: string,
  order_id?: number,
];

const ofEntitlement = (
  entitlement: Entitlement,
  order: BillingRecordsHeld['orders'][number] | undefined,
  now: Instant,
): Finding[] => {
  const { id, granted_at, revoked_at, access_expires_at: end } = entitlement;
  const isLive = ['active', 'pending'].includes(entitlementStatus(entitlement, now));
  const isUnpaid = order !== undefined && UNPAID_STATUSES.includes(order.status) && !keepsAccess(order, entitlement);
  const unpaid = `order ${order?.number} is ${order?.status}, and entitlement ${id} still gives access; set its revoked_at, unless the buyer may use the product`;
  const neverInForce = 'lies before granted_at, so the grant was never in force; check both dates';
  return [
    ['fault', end !== null && end < granted_at, 'access_expires_at', 'must not lie before granted_at'],
    ['warning', revoked_at !== null && revoked_at < granted_at, 'revoked_at', neverInForce],
    ['warning', isLive && isUnpaid, 'revoked_at', unpaid, order?.id],
  ];
};

const EXPIRED_LATER =
  'lies in the future, so the subscription gives access and cannot be expired; set the end that it had, or another status';
const CHARGED_LATER = 'lies after cancelled_at, and buyers are not shown it; leave it out, or the cancellation';

const ofSubscription = (subscription: Subscription, now: Instant): Finding[] => {
  const { status, starts_at, ends_at, cancelled_at, billing } = subscription;
  const { trial_ends_at: trial = null, next_charge_at: charge = null } = billing ?? {};
  const end = accessEnd(subscription);
  const isExpired = status === 'expired';
  const endsLater = ends_at !== null && ends_at > now;
  const hasGrace = !endsLater && end !== null && !hasPassed(end, now);
  const grace = `give access until ${end} although the subscription is expired; set 0 to end it`;
  const never = cancelled_at !== null && cancelled_at < starts_at && ends_at !== null && ends_at > starts_at;
  const early = `lies before starts_at, and the subscription gives access until ${ends_at} all the same; set ends_at to starts_at if it should give none`;
  const isEarly = trial !== null && trial < starts_at;
  const isLate = trial !== null && !isEarly && ends_at !== null && trial > ends_at;
  return [
    ['fault', isExpired && endsLater, 'ends_at', EXPIRED_LATER],
    ['warning', isExpired && hasGrace, 'grace_days', grace],
    ['fault', isEarly, 'billing.trial_ends_at', 'must not lie before starts_at'],
    ['fault', isLate, 'billing.trial_ends_at', 'must not lie after ends_at'],
    ['warning', never, 'cancelled_at', early],
    ['warning', cancelled_at !== null && (charge ?? '') > cancelled_at, 'billing.next_charge_at', CHARGED_LATER],
  ];
};

const toldOf = (kind: Contradiction['kind'], id: number, findings: readonly Finding[]): Contradiction[] =>
  findings.flatMap(([severity, isThere, member, message, order_id]) =>
    isThere ? [{ severity, kind, id, member, message, ...(order_id !== undefined && { order_id }) }] : [],
  );

/** Every contradiction among an account's records, first in its entitlements, then in its subscriptions. */
export const contradictions = (held: BillingRecordsHeld, now: Instant): Contradiction[] => {
  const orders = new Map<number | null, BillingRecordsHeld['orders'][number]>(held.orders.map((one) => [one.id, one]));
  return [
    ...renewedEntitlements(held, []).flatMap((one) =>
      toldOf('entitlement', one.id, ofEntitlement(one, orders.get(one.order_id), now)),
    ),
    ...held.subscriptions.flatMap((one) => toldOf('subscription', one.id, ofSubscription(one, now))),
  ];
};

/** The stored rows, replaced and extended by those of the document. */
const after = <T extends { readonly id: number }>(stored: readonly T[], rows: readonly T[]): T[] => [
  ...new Map([...stored, ...rows].map((row) => [row.id, row])).values(),
];

type StoredHoldings = { readonly orders: readonly Order[]; readonly held: Holdings };

/** The records of an account after its entry is imported. An import never undoes a refund by omitting it. */
const heldAfter = (entry: AccountEntry, { orders, held }: StoredHoldings): BillingRecordsHeld => {
  const account_id = entry.id;
  const before = new Map(orders.map((order) => [order.id, order]));
  const ordered = after(
    orders,
    entry.orders.map((row) => withKeptRefunds({ ...row, account_id }, before.get(row.id))),
  );
  const byId = new Map<number | null | undefined, Order>(ordered.map((order) => [order.id, order]));
  const entitlements = entry.entitlements.map((row) => {
    const order = byId.get(row.order_id);
    return order ? entitlementUnderRefund({ ...row, account_id }, order) : { ...row, account_id };
  });
  const subscriptions = entry.subscriptions.map(({ billing, ...row }) => {
    const order = byId.get(billing?.order_id);
    const made = { ...row, account_id, billing: billing && { ...billing, order_number: null } };
    return order ? subscriptionUnderRefund(made, order) : made;
  });
  return {
    orders: ordered,
    entitlements: after(held.entitlements, entitlements),
    subscriptions: after(held.subscriptions, subscriptions),
  };
};

/** A warning for each order whose refund the document omits, and for each whose refunds it undoes. */
const refundWarnings = (entry: AccountEntry, path: string, orders: readonly Order[]): Fault[] => {
  const before = new Map(orders.map((order) => [order.id, order]));
  return entry.orders.flatMap((row, n) => {
    const order = { ...row, account_id: entry.id };
    const current = withKeptRefunds(order, before.get(row.id));
    const [first] = refundsLeftOut(order, before.get(row.id));
    if (first === undefined) return [];
    const refunded = `order ${row.number} was refunded on ${dayOf(first.refunded_at)}`;
    const isUndone = row.refunds?.length === 0;
    const undone = `${refunded}, and "refunds": [] undoes that; take the member out to keep the refund`;
    const stays = `${refunded} and stays ${current.status}; write that status here, or "refunds": [] to undo the refund`;
    return faultsAt(`${path}.orders.${n}`, [
      [isUndone, 'refunds', undone],
      [!isUndone && current.status !== row.status, 'status', stays],
    ]);
  });
};

const MEMBERS = { entitlement: 'entitlements', subscription: 'subscriptions' } as const;

/** The path of a contradiction in the document; undefined if the document contains neither record. */
const pathOf = (
  { kind, id, member, order_id }: Contradiction,
  entry: AccountEntry,
  path: string,
): string | undefined => {
  const n = entry[MEMBERS[kind]].findIndex((row) => row.id === id);
  if (n >= 0) return `${path}.${MEMBERS[kind]}.${n}.${member}`;
  const order = entry.orders.findIndex((row) => row.id === order_id);
  return order >= 0 ? `${path}.orders.${order}.status` : undefined;
};

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
  const of = (only: Contradiction['severity']): Fault[] =>
    placed.filter(({ severity }) => severity === only).map(({ path: at, message }) => ({ path: at, message }));
  return { faults: of('fault'), warnings: [...refundWarnings(entry, path, stored.orders), ...of('warning')] };
};
