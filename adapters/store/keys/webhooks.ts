import type { NoticeBox } from '../../../domain/notices/notice.ts';
import type { Delivery, ListedDelivery, Sending, WrittenEvents } from '../../../domain/webhooks/delivery.ts';
import type { Webhook } from '../../../domain/webhooks/webhook.ts';
import type { KeyOf, Partition, PartitionKey } from './families.ts';
import { keyIn, padded } from './shared.ts';

/** The records of a partition, or those before an id. */
const until = <T extends object>(pk: PartitionKey, before: number | null = null): Partition<T> =>
  before === null ? { pk } : { pk, to: padded(before - 1) };

/** The deliveries of a webhook lie in the order of their events: those that wait apart from those that ended. */
export const webhookKeys = {
  webhook: (id: number) => keyIn<Webhook>('WEBHOOKS', `WEBHOOK#${padded(id)}`),
  webhooks: (): Partition<Webhook> => ({ pk: 'WEBHOOKS', prefix: 'WEBHOOK#' }),
  sending: (id: number) => keyIn<Sending>('WEBHOOKS', `SENDING#${padded(id)}`),
  /** The notices to the shop that wait for a summary. */
  noticeBox: keyIn<NoticeBox>('WEBHOOKS', 'NOTICES'),
  written: (id: number): KeyOf<WrittenEvents> => ({ pk: 'WEBHOOKEVENTS', sk: padded(id) }),
  allWritten: (): Partition<WrittenEvents> => ({ pk: 'WEBHOOKEVENTS' }),
  queued: (webhook_id: number, id: number) => keyIn<Delivery>(`WEBHOOKQUEUE#${webhook_id}`, padded(id)),
  queue: (webhook_id: number, before?: number | null) => until<Delivery>(`WEBHOOKQUEUE#${webhook_id}`, before),
  ended: (webhook_id: number, id: number) => keyIn<ListedDelivery>(`WEBHOOKLOG#${webhook_id}`, padded(id)),
  log: (webhook_id: number, before?: number | null) => until<ListedDelivery>(`WEBHOOKLOG#${webhook_id}`, before),
};
