import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { SignedRequest, WebhookSender } from '../../ports/outbound/webhooks.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { anEntitlement, anOrder, aRelease, aSubscription, NOW } from './builders.ts';
import { BY_WEBHOOK, changesOfEachKind, refundTheOrder } from './mail.ts';
import { done } from './outcomes.ts';

/** Keeps the requests that it gets, and answers each by `answer`, a status or a fault. */
export const aReceiver = () => {
  const receiver = {
    got: [] as SignedRequest[],
    answer: (_: SignedRequest): number | Error | Promise<number> => 204,
    send: async (request: SignedRequest): Promise<number> => {
      const answer = await receiver.answer(request);
      if (answer instanceof Error) throw answer;
      receiver.got.push(request);
      return answer;
    },
    bodies: () => receiver.got.map(({ body }) => JSON.parse(body)),
    types: () => receiver.bodies().map(({ type }) => type),
  };
  return receiver satisfies WebhookSender;
};

/** A webhook of these kinds; every kind without them. */
export const aWebhook = async (service: Service, kinds: readonly string[] = [], url = 'https://shop.example/hook') =>
  done(await service.get('createWebhook')(BY_WEBHOOK, { url, kinds }));

/** Works until nothing is due; the ends of the attempts. */
export const deliverAll = async (service: Service): Promise<string[]> => {
  const ends: string[] = [];
  while ((await service.get('sendDeliveries')(grantPermit(), ({ end }) => ends.push(end))) > 0);
  return ends;
};

/** Makes changes of account 1 and of the shop that webhooks are told of, of every kind. */
export const changesOfEveryKind = async (service: Service): Promise<void> => {
  const { get } = service;
  const saveOrder = (id: number, fields = {}) =>
    get('billingRecords').saveOrder(BY_WEBHOOK, anOrder({ id, number: `O-${id}`, ...fields }));
  await changesOfEachKind(service);
  await refundTheOrder(service);
  await saveOrder(6, { status: 'pending', paid_at: null });
  await saveOrder(6, { status: 'pending', paid_at: null, payment_method: '계좌이체' });
  await saveOrder(6, {
    status: 'disputed',
    refunds: [{ refunded_at: NOW, item_ids: null, keeps_access: false, reason: 'x', kind: 'dispute' }],
  });
  await saveOrder(7, { withdrawal: { declared_at: NOW, ticket_id: 7 } });
  await saveOrder(7, { withdrawal: { declared_at: NOW, ticket_id: 7 }, status: 'withdrawn' });
  for (const fields of [{}, { device_limit: 9 }, { revoked_at: NOW }])
    await get('grants').saveEntitlement(BY_WEBHOOK, anEntitlement(fields));
  const ends_at = new Date(Date.parse(NOW) + 3_600_000).toISOString();
  for (const fields of [
    { ends_at: NOW },
    { ends_at },
    { ends_at, status: 'past_due' as const },
    { ends_at, cancelled_at: NOW },
    { ends_at, status: 'expired' as const },
    { ends_at, grace_days: 9 },
  ])
    await get('grants').saveSubscription(BY_WEBHOOK, aSubscription(fields));
  await get('devices').rename(BY_WEBHOOK, 1, 1, 'Laptop <b>', 'Mine');
  await get('devices').release(BY_WEBHOOK, 1, 1, 'Laptop <b>', { now: NOW });
  done(await get('closeTicket')(BY_WEBHOOK, { ticket_id: 7 }));
  done(await get('reopenTicket')(BY_WEBHOOK, { ticket_id: 7 }));
  done(await get('replyToTicket')(BY_WEBHOOK, { account_id: 1, id: 7, text: 'Thanks' }));
  const release = aRelease();
  const editor = get('releaseEditor');
  await editor.save(BY_WEBHOOK, release, await editor.read(release.product_id, release.version));
  await get('paymentEvents').save(BY_WEBHOOK, {
    provider: 'stripe',
    id: 'evt_1',
    type: 'charge',
    received_at: NOW,
    account_id: null,
    body: '{}',
    state: 'refused',
    reason: 'There is no product buyer-1@example.com.',
  });
};
