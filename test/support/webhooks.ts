import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { SignedRequest, WebhookSender } from '../../ports/outbound/webhooks.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { BY_WEBHOOK } from './mail.ts';
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
