import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import { MOST_NOTICE_ADDRESSES } from '../../domain/catalog/notify.ts';
import { addDays, type Instant } from '../../domain/shared/instant.ts';
import {
  DELIVERY_KEPT_DAYS,
  type Delivery,
  isBusy,
  type ListedDelivery,
  type NewWebhookEvents,
  NOTHING_SENT,
  newDelivery,
  type Sending,
  takenAlongWith,
} from '../../domain/webhooks/delivery.ts';
import { noticeOf } from '../../domain/webhooks/noticed.ts';
import { isQueuedFor, type Webhook } from '../../domain/webhooks/webhook.ts';
import type {
  DeliveriesInput,
  QueuedDelivery,
  ReadWebhook,
  WebhookLease,
  WebhookQueue,
  Webhooks,
} from '../../ports/outbound/webhooks.ts';
import type { AuditTrail } from './audit-trail.ts';
import { expiryAt } from './expiry.ts';
import { accountKeys } from './keys/accounts.ts';
import { webhookKeys } from './keys/webhooks.ts';
import type { StoredNotices } from './notices.ts';
import { allItems, allRecords, firstItems, ifUnchanged, itemOf, notErased } from './records.ts';
import { MAX_BATCH } from './table-checks.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';
import { type EventParts, eventsOf, type KnownWebhooks } from './webhook-writes.ts';

type Parts = EventParts & { readonly table: TypedTable; readonly notices: Pick<StoredNotices, 'sum' | 'writes'> };

/** The deliveries in a page of those that wait. */
const WAITING_READ = 100;

type WebhookParts = {
  readonly table: TypedTable;
  readonly auditTrail: AuditTrail;
  readonly knownWebhooks: KnownWebhooks;
};

export class StoredWebhooks implements Webhooks {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  async list(): Promise<ReadWebhook[]> {
    const items = await Array.fromAsync(allItems(this.#parts.table, webhookKeys.webhooks()));
    return items.map(({ data, version }) => ({ webhook: data, version }));
  }

  save(permit: Permit, webhook: Webhook, read?: ReadWebhook): Promise<boolean> {
    const event = savedEvent({ kind: 'webhook', id: webhook.id }, read?.webhook, webhook);
    const put = itemOf(webhookKeys.webhook(webhook.id), webhook);
    return this.#write({ put, condition: ifUnchanged(read?.version ?? null) }, permit, event);
  }

  remove(permit: Permit, { webhook: { id }, version }: ReadWebhook): Promise<boolean> {
    const event = auditEvent({ kind: 'webhook', id }, 'deleted');
    return this.#write({ remove: webhookKeys.webhook(id), condition: { version } }, permit, event);
  }

  async #write(write: TypedWrite, ...entry: Parameters<AuditTrail['entry']>): Promise<boolean> {
    const { table, auditTrail, knownWebhooks: known } = this.#parts;
    const written = await table.transact([write, auditTrail.entry(...entry)]);
    known.forget();
    return written;
  }
}

/**
 * A worker moves written events to the queue of each webhook, always the oldest first, so that the queue has the order
 * of the changes. A delivery stays at its place until it ends.
 */
export class StoredWebhookQueue implements WebhookQueue {
  readonly #parts: Parts;
  readonly #table: TypedTable;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#table = parts.table;
  }

  async add(_permit: Permit, webhook_id: number, events: NewWebhookEvents): Promise<Delivery[]> {
    const deliveries = eventsOf(this.#parts, events).map((event) => newDelivery(event, this.#now()));
    await this.#table.transact(deliveries.map((delivery) => ({ put: this.#queued(webhook_id, delivery) })));
    await this.wake(_permit, webhook_id);
    return deliveries;
  }

  async spread(permit: Permit): Promise<boolean> {
    const { notices } = this.#parts;
    const [item] = await firstItems(this.#table, { ...webhookKeys.allWritten(), consistent: true }, 1);
    if (!item) return notices.sum(permit);
    const webhooks = await allRecords(this.#table, { ...webhookKeys.webhooks(), consistent: true });
    const { id, events: written } = item.data;
    // An event that was written before the erasure of its account must not be queued after it.
    const owners = [...new Set(written.map(takenAlongWith))].filter((owner) => owner !== null);
    const marks = await this.#table.getMany(owners.map(accountKeys.erasure), { consistent: true });
    const erased = new Set<number | null>(owners.filter((_, n) => marks[n] && marks[n].data.merged_into === undefined));
    const events = written.filter((event) => !erased.has(takenAlongWith(event)));
    const room = Math.max(1, Math.floor((MAX_BATCH - 2) / (webhooks.length + 1 + MOST_NOTICE_ADDRESSES)));
    const [now, later] = [events.slice(0, room), events.slice(room)];
    const key = webhookKeys.written(id);
    const condition = { version: item.version };
    const queued = now.flatMap((event) =>
      webhooks
        .filter((webhook) => isQueuedFor(webhook, event.kind))
        .map((webhook) => ({ put: this.#queued(webhook.id, newDelivery(event, this.#now())) })),
    );
    const rest =
      later.length === 0 ? { remove: key, condition } : { put: itemOf(key, { id, events: later }), condition };
    // Another worker may have moved the same events.
    const unerased = owners.filter((_, n) => marks[n] === undefined).map(notErased);
    const told = await notices.writes(now.flatMap((event) => noticeOf(event) ?? []));
    await this.#table.transact([rest, ...queued, ...told, ...unerased]);
    return true;
  }

  async glance(webhook_id: number) {
    const newest = { ...webhookKeys.queue(webhook_id), descending: true, consistent: true };
    const [item, [last]] = await Promise.all([
      this.#table.get(webhookKeys.sending(webhook_id)),
      firstItems(this.#table, newest, 1),
    ]);
    return { sending: item?.data ?? NOTHING_SENT, version: item?.version ?? null, newest: last?.data.id ?? null };
  }

  async lease(_permit: Permit, webhook_id: number, now: Instant, until: Instant): Promise<WebhookLease | undefined> {
    const key = webhookKeys.sending(webhook_id);
    const item = await this.#table.get(key);
    const sending: Sending = item?.data ?? NOTHING_SENT;
    if (isBusy(sending, now)) return undefined;
    const leased = itemOf(key, { ...sending, leased_until: until });
    if (!(await this.#table.put(leased, ifUnchanged(item?.version ?? null)))) return undefined;
    const own = await this.#table.get(key);
    return own && { webhook_id, sending, version: own.version };
  }

  giveBack(_permit: Permit, { webhook_id, version }: WebhookLease, sending: Sending): Promise<boolean> {
    return this.#table.put(itemOf(webhookKeys.sending(webhook_id), { ...sending, leased_until: '' }), { version });
  }

  async wake(_permit: Permit, webhook_id: number): Promise<void> {
    const key = webhookKeys.sending(webhook_id);
    const item = await this.#table.get(key);
    // A worker that sends meanwhile writes its own end.
    if (item?.data.leased_until === '') await this.#table.put(itemOf(key, NOTHING_SENT), { version: item.version });
  }

  async *waiting(webhook_id: number): AsyncGenerator<QueuedDelivery> {
    const query = { ...webhookKeys.queue(webhook_id), consistent: true, limit: WAITING_READ };
    for await (const { data, version } of allItems(this.#table, query)) yield { webhook_id, delivery: data, version };
  }

  async webhookOf({ webhook_id, delivery: { id }, version }: QueuedDelivery): Promise<ReadWebhook | undefined> {
    const keys = [webhookKeys.webhook(webhook_id), webhookKeys.queued(webhook_id, id)] as const;
    const [webhook, queued] = await this.#table.getMany(keys, { consistent: true });
    return webhook && queued?.version === version ? { webhook: webhook.data, version: webhook.version } : undefined;
  }

  keep(_permit: Permit, { webhook_id, version }: QueuedDelivery, delivery: Delivery): Promise<boolean> {
    return this.#table.put(this.#queued(webhook_id, delivery), { version });
  }

  end(_permit: Permit, { webhook_id, delivery: { id }, version }: QueuedDelivery, ended: ListedDelivery) {
    const expiry = expiryAt(addDays(this.#now(), DELIVERY_KEPT_DAYS));
    return this.#table.transact([
      { remove: webhookKeys.queued(webhook_id, id), condition: { version } },
      { put: itemOf(webhookKeys.ended(webhook_id, id), ended, expiry) },
    ]);
  }

  async renew(_permit: Permit, webhook_id: number, id: number): Promise<Delivery | undefined> {
    const [queued, ended] = [webhookKeys.queued(webhook_id, id), webhookKeys.ended(webhook_id, id)];
    const [waiting, past] = await this.#table.getMany([queued, ended]);
    const found = waiting ?? past;
    if (!found) return undefined;
    const { kind, record, data, timestamp } = found.data;
    const delivery = newDelivery({ id, kind, record, data, timestamp }, this.#now());
    const written = await this.#table.transact([
      { put: this.#queued(webhook_id, delivery), condition: ifUnchanged(waiting?.version ?? null) },
      ...(past ? [{ remove: ended, condition: { version: past.version } }] : []),
    ]);
    if (!written) return this.renew(_permit, webhook_id, id);
    await this.wake(_permit, webhook_id);
    return delivery;
  }

  async list(webhook_id: number, { limit, before }: DeliveriesInput): Promise<ListedDelivery[]> {
    const newest = <Q extends object>(query: Q) => ({ ...query, descending: true, consistent: true });
    const [waiting, ended] = await Promise.all([
      firstItems(this.#table, newest(webhookKeys.queue(webhook_id, before)), limit),
      firstItems(this.#table, newest(webhookKeys.log(webhook_id, before)), limit),
    ]);
    const listed: ListedDelivery[] = [
      ...waiting.map(({ data }) => ({ ...data, state: 'waiting' as const, ended_at: null })),
      ...ended.map(({ data }) => data),
    ];
    return listed.sort((a, b) => b.id - a.id).slice(0, limit);
  }

  #now(): Instant {
    return this.#parts.clock.now();
  }

  #queued(webhook_id: number, delivery: Delivery) {
    const expiry = expiryAt(addDays(delivery.queued_at, DELIVERY_KEPT_DAYS));
    return itemOf(webhookKeys.queued(webhook_id, delivery.id), delivery, expiry);
  }
}
