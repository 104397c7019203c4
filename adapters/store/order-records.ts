import type { Permit } from '../../domain/access/permit.ts';
import type { Action } from '../../domain/audit/actions.ts';
import { auditEvent, type Subject } from '../../domain/audit/event.ts';
import type { RefundEffect } from '../../domain/billing/refund.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { type Ticket, withdrawalBy } from '../../domain/support/ticket.ts';
import type { NewWebhookEvents } from '../../domain/webhooks/delivery.ts';
import { licenseEvents, saleEvents, subscriptionEvents, ticketEvents } from '../../domain/webhooks/events.ts';
import type { OrderRecordStore, ReadOrder } from '../../ports/outbound/billing.ts';
import { billingKeys } from './keys/billing.ts';
import { licensingKeys } from './keys/licensing.ts';
import { BEFORE_BILLING, dueWrites, givenBy } from './licenses.ts';
import { allItems, ifUnchanged, itemOf, notErased } from './records.ts';
import { Audited } from './repository.ts';
import type { Item, Key } from './table.ts';
import { MAX_BATCH } from './table-checks.ts';
import { openingWrites } from './tickets.ts';
import type { KeyOf, TypedWrite } from './typed-table.ts';

/** The writes of a record in one transaction, besides the events and a message or a check. */
const [WRITES_OF_RECORD, OTHER_WRITES] = [3, 2];

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** A record that a refund changes. */
type Change = {
  readonly key: Key;
  readonly subject: Subject;
  readonly done: Action;
  readonly before: object | undefined;
  readonly after: object;
  readonly events: NewWebhookEvents;
  readonly listing: readonly TypedWrite[];
};

export class StoredOrderRecords extends Audited implements OrderRecordStore {
  async read(account_id: number, order_id: number): Promise<ReadOrder | undefined> {
    const all = <T extends object>(query: Parameters<typeof allItems<T>>[1]) =>
      Array.fromAsync(allItems(this.table, query));
    const [order, { items: entitlements }, subscribed, invoiced] = await Promise.all([
      this.table.get(billingKeys.order(account_id, order_id)),
      givenBy(this.table, account_id, order_id),
      all(licensingKeys.subscriptions(account_id)),
      all(billingKeys.invoices(account_id)),
    ]);
    if (!order) return undefined;
    const subscriptions = subscribed.filter(({ data }) => data.billing?.order_id === order_id);
    const invoices = invoiced.filter(({ data }) => data.order_id === order_id);
    const items: Item[] = [order, ...entitlements, ...subscriptions, ...invoices];
    return {
      order: order.data,
      entitlements: entitlements.map(({ data }) => data),
      subscriptions: subscriptions.map(({ data }) => ({ ...BEFORE_BILLING, ...data })),
      invoices: invoices.map(({ data }) => data),
      versions: new Map(items.map((item) => [nameOf(item), item.version])),
    };
  }

  async refund(
    permit: Permit,
    changed: RefundEffect['changed'],
    read: ReadOrder,
    messages: NewMessages,
  ): Promise<boolean> {
    const { account_id, id } = read.order;
    const counts = changed.order ? await this.orderCounts.writes(read.order, changed.order) : [];
    const room = MAX_BATCH - OTHER_WRITES - counts.length;
    const now = changesOf(changed, read).slice(0, Math.floor(room / WRITES_OF_RECORD));
    const condition = (key: Key) => ifUnchanged(read.versions.get(nameOf(key)) ?? null);
    const order = billingKeys.order(account_id, id);
    const writes: TypedWrite[] = [
      ...now.flatMap(({ key, subject, done, before, after, listing }) => [
        { put: itemOf(key as KeyOf<object>, after), condition: condition(key) },
        this.trail.entry(permit, auditEvent(subject, done, before, after)),
        ...listing,
      ]),
      ...counts,
      ...(await this.webhookWrites(
        permit,
        now.flatMap(({ events }) => events),
      )),
      ...(changed.order ? this.messageWrites(permit, messages) : [{ check: order, condition: condition(order) }]),
    ];
    return this.table.transact(writes);
  }

  async withdraw(permit: Permit, read: ReadOrder, ticket: Ticket, messages: NewMessages): Promise<boolean> {
    const { account_id, id } = read.order;
    const [key, after] = [billingKeys.order(account_id, id), { ...read.order, withdrawal: withdrawalBy(ticket) }];
    return this.table.transact([
      notErased(account_id),
      { put: itemOf(key, after), condition: ifUnchanged(read.versions.get(nameOf(key)) ?? null) },
      ...openingWrites(ticket),
      this.trail.entry(permit, auditEvent({ kind: 'order', id, account_id }, 'withdrawn', read.order, after)),
      ...(await this.webhookWrites(permit, [...saleEvents(read.order, after), ...ticketEvents('opened', ticket)])),
      ...this.messageWrites(permit, messages),
    ]);
  }
}

const changesOf = ({ order, entitlements, subscriptions, invoices }: RefundEffect['changed'], read: ReadOrder) => {
  const { account_id } = read.order;
  const change = <T extends { readonly id: number; readonly account_id: number }>(
    after: T,
    known: readonly T[],
    { key, done, ...named }: Pick<Change, 'key' | 'done'> & Pick<Subject, 'kind' | 'product_id'>,
    events: (before: T | undefined, after: T) => NewWebhookEvents = () => [],
    listed: (before: T | undefined, after: T) => readonly TypedWrite[] = () => [],
  ): Change => {
    const before = known.find(({ id }) => id === after.id);
    const subject = { ...named, id: after.id, account_id: after.account_id };
    return { key, subject, done, before, after, events: events(before, after), listing: listed(before, after) };
  };
  return [
    ...(order ? [order] : []).map((after) =>
      change(
        after,
        [read.order],
        { key: billingKeys.order(account_id, after.id), kind: 'order', done: 'refunded' },
        saleEvents,
      ),
    ),
    ...entitlements.map((after) => {
      const { id, product_id, account_id: holder } = after;
      const key = licensingKeys.entitlement(holder, product_id, id);
      const named = { key, kind: 'entitlement', product_id, done: 'revoked' } as const;
      return change(after, read.entitlements, named, licenseEvents);
    }),
    ...subscriptions.map((after) => {
      const key = licensingKeys.subscription(account_id, after.id);
      const named = { key, kind: 'subscription', done: 'ended' } as const;
      return change(after, read.subscriptions, named, subscriptionEvents, dueWrites);
    }),
    ...invoices.map((after) => {
      const key = billingKeys.invoice(account_id, after.id);
      return change(after, read.invoices, { key, kind: 'invoice', done: 'changed' });
    }),
  ];
};
