import { setTimeout as sleep } from 'node:timers/promises';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from './data-dir.ts';

/** A child process that sends to webhooks until it is killed, by a clock that is ahead. */
const { DATA_DIR = '', RECEIVER = '', AHEAD_MS } = process.env;
const clock = { now: () => new Date(Date.now() + Number(AHEAD_MS)).toISOString() };
const webhookSender = {
  send: async ({ id, body }: { readonly id: string; readonly body: string }): Promise<number> =>
    (await fetch(RECEIVER, { method: 'POST', headers: { 'webhook-id': id }, body })).status,
};
const { service } = await openService(DATA_DIR, {}, { clock, webhookSender });
for (;;) {
  await service.get('sendDeliveries')(grantPermit(), () => {});
  await sleep(20);
}
