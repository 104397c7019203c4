import type { Actor } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Mail, Mailer } from '../../ports/outbound/mail.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import type { Settings } from '../../runtimes/composition/settings.ts';
import { aDevice, anOrder, aProduct, NOW } from './builders.ts';
import { done } from './outcomes.ts';
import { aReport } from './report-builders.ts';

/* Helpers for tests of messages. */

/** The settings of a service that sends mail. */
export const MAILING: Pick<Settings, 'mail'> = {
  mail: { way: 'outbox', from: 'shop@example.com', folder: '/nowhere' },
};

/** Records sent messages, and throws `fault` if there is one. */
export const aMailer = () => {
  const mailer = {
    sent: [] as Mail[],
    fault: undefined as Error | undefined,
    send: async (mail: Mail): Promise<void> => {
      if (mailer.fault) throw mailer.fault;
      mailer.sent.push(mail);
    },
  } satisfies Mailer & { sent: Mail[]; fault: Error | undefined };
  return mailer;
};

const WEBHOOK: Actor = { kind: 'anyone', id: null, account_id: null, through: 'webhook stripe', from: null };
export const BY_WEBHOOK = grantPermit(() => WEBHOOK);

/** Sends all due messages, and returns their results. */
export const sendAll = async (service: Service): Promise<string[]> => {
  const ends: string[] = [];
  for (;;) {
    const { end } = await service.get('sendNextMessage')(grantPermit());
    if (end === 'none') return ends;
    ends.push(end);
  }
};

/** Writes a paid order of account 1 with its message. */
export const payOrder = async ({ get }: Service, order = anOrder()): Promise<void> => {
  await get('billingRecords').saveOrder(BY_WEBHOOK, order);
  await get('messages').add(BY_WEBHOOK, messageAbout('order', order));
};

/** Makes one change of each kind that sends account 1 a message. */
export const changesOfEachKind = async (service: Service): Promise<void> => {
  const { get } = service;
  await get('catalogEditor').save(grantPermit(), { kind: 'product', value: aProduct({ id: 1 }) });
  await payOrder(service, anOrder({ id: 5 }));
  done(await get('createApiKey')(BY_WEBHOOK, { account_id: 1, name: 'Key' }));
  await seat(service, 'Laptop <b>');
  const ticket = { ...aReport(), id: 7, account_id: 1, status: 'open', created_at: NOW } as const;
  await get('tickets').open(BY_WEBHOOK, ticket, 'report', { opening: undefined, version: null }, undefined);
  done(await get('answerTicket')(BY_WEBHOOK, { id: 7, text: 'Wind it <up>.', close: false }));
  const input = { email: ' Buyer-1@example.com', address: '192.0.2.7', locale: 'ko', known: null } as const;
  done((await get('askForLink')?.(BY_WEBHOOK, input)) ?? refuse('off'));
};

/** Gives a device a slot of account 1 for a product. */
export const seat = async ({ get }: Service, device_id: string, product_id = 1): Promise<void> => {
  const account_id = 1;
  const input = { account_id, product_id, limit: null, newcomer: aDevice({ device_id }), withdrawn: [] };
  const found = await get('devices').find(account_id, product_id, device_id);
  done(await get('seatDevice')(BY_WEBHOOK, { ...input, found }));
};

/** Refunds the order of account 1. */
export const refundTheOrder = async ({ get }: Service): Promise<void> => {
  done(await get('refundOrder')(BY_WEBHOOK, { order: '5', item_ids: [], keeps_access: false, reason: null }));
};
