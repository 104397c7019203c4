import type { Permit } from '../../domain/access/permit.ts';
import type { NewWebhookEvents, WebhookEvent } from '../../domain/webhooks/delivery.ts';
import { noticeKindOf } from '../../domain/webhooks/noticed.ts';
import { isQueuedFor, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Clock, Ids } from '../../ports/outbound/system.ts';
import { type CacheAge, CachedCopy, type TellFault } from './cached-copy.ts';
import { webhookKeys } from './keys/webhooks.ts';
import { allRecords, itemOf } from './records.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

export type EventParts = { readonly clock: Clock; readonly messageIds: Ids };

/** The webhooks as a process knows them, for the question whether anybody wants an event. */
export type KnownWebhooks = CachedCopy<readonly Webhook[]>;

export const knownWebhooks = (table: TypedTable, age: CacheAge, tell?: TellFault): KnownWebhooks =>
  new CachedCopy<readonly Webhook[]>(age, () => allRecords(table, webhookKeys.webhooks()), tell);

type Parts = EventParts & { readonly knownWebhooks: KnownWebhooks; readonly mailSettings: object | null };

export const eventsOf = ({ messageIds, clock }: EventParts, events: NewWebhookEvents): WebhookEvent[] =>
  events.map((event) => ({ ...event, id: messageIds.next(), timestamp: clock.now() }));

/**
 * Creates the write of the events of a change, which a repository adds to the change's transaction: one item, if a
 * webhook wants any of them, or the shop may get a notice. The service itself fills an empty store and tells nobody.
 */
export const webhookWrites =
  ({ knownWebhooks: known, mailSettings, clock, messageIds }: Parts) =>
  async (permit: Permit, newEvents: NewWebhookEvents): Promise<TypedWrite[]> => {
    if (newEvents.length === 0 || permit.by().kind === 'service') return [];
    const webhooks = await known.current();
    const isNotice = (kind: WebhookEvent['kind']) => mailSettings !== null && noticeKindOf(kind) !== undefined;
    const queued = newEvents.filter(({ kind }) => isNotice(kind) || webhooks.some((one) => isQueuedFor(one, kind)));
    const events = eventsOf({ clock, messageIds }, queued);
    const [first] = events;
    if (!first) return [];
    return [{ put: itemOf(webhookKeys.written(first.id), { id: first.id, events }), condition: { absent: true } }];
  };

export type WebhookWrites = ReturnType<typeof webhookWrites>;
