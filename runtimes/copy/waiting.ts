import { mailKeys } from '../../adapters/store/keys/mail.ts';
import { webhookKeys } from '../../adapters/store/keys/webhooks.ts';
import { allItems, itemOf } from '../../adapters/store/records.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/** The messages, with a summary to the shop, and the events for notices and webhooks that a server would send. */
export type Waiting = { readonly messages: number; readonly events: number };

/**
 * Counts what waits to be sent. With a moment, which makes the store a copy, it is removed, and each webhook is paused,
 * as if the shop had asked for it: nobody hears from the copy what the store itself tells. No server uses the table.
 */
export const waitingIn = async (table: TypedTable, copiedAt: Instant | null): Promise<Waiting> => {
  const count = { messages: 0, events: 0 };
  const take = async (kind: keyof Waiting, list: Parameters<typeof allItems>[1]): Promise<void> => {
    for await (const item of allItems(table, list)) {
      count[kind]++;
      if (copiedAt !== null) await table.remove(item, { version: item.version });
    }
  };
  await take('messages', mailKeys.messages());
  await take('events', webhookKeys.allWritten());
  for await (const { data: webhook, version } of allItems(table, webhookKeys.webhooks())) {
    await take('events', webhookKeys.queue(webhook.id));
    const paused = webhook.paused ?? { at: copiedAt ?? '', reason: 'asked' as const };
    if (copiedAt !== null)
      await table.put(itemOf(webhookKeys.webhook(webhook.id), { ...webhook, paused }), { version });
  }
  const box = await table.get(webhookKeys.noticeBox);
  if (box?.data.day) count.messages++;
  if (box && copiedAt !== null) await table.remove(webhookKeys.noticeBox, { version: box.version });
  return count;
};
