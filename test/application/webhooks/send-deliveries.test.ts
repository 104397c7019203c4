import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebhookChange } from '../../../application/webhooks/webhooks.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Outcome } from '../../../domain/shared/outcome.ts';
import { WEBHOOK_KINDS } from '../../../domain/webhooks/webhook.ts';
import { webhookBodies } from '../../../ports/inbound/shop/webhook-bodies.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { watched } from '../../contracts/clean.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { BY_WEBHOOK, changesOfEachKind, MAILING, refundTheOrder, seat } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { aReceiver, aWebhook, changesOfEveryKind, deliverAll } from '../../support/webhooks.ts';

const minutesLater = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

describe('webhooks', () => {
  const clock = aClock();
  let service: Service;
  let receiver: ReturnType<typeof aReceiver>;

  beforeEach(async () => {
    clock.at = NOW;
    receiver = aReceiver();
    service = memoryService({ clock, webhookSender: receiver }, memoryEngines(), MAILING);
    await put(service, { accounts: [anAccount()] });
  });

  const saveOrder = (id: number, fields = {}) =>
    service.get('billingRecords').saveOrder(BY_WEBHOOK, anOrder({ id, number: `O-${id}`, ...fields }));

  const change = (id: number, input: Partial<WebhookChange>) =>
    service.get('changeWebhook')(BY_WEBHOOK, { webhook_id: id, url: null, kinds: null, paused: null, ...input });

  const webhookNow = async () => (await service.get('listWebhooks')()).at(0);

  test('the body of every kind matches its schema, and the Standard Webhooks library verifies its signature', async () => {
    const { secret } = await aWebhook(service);
    await changesOfEveryKind(service);
    await deliverAll(service);
    const verifier = new Webhook(secret);
    const told = receiver.got.map(({ id, timestamp, body, secrets }) => {
      expect(secrets).toEqual([secret]);
      const signature = verifier.sign(id, new Date(timestamp), body);
      expect(signature).toMatch(/^v1,/);
      return JSON.parse(body);
    });
    for (const { kind, body } of webhookBodies()) {
      const bodies = told.filter(({ type }) => type === kind);
      expect(bodies, kind).not.toEqual([]);
      for (const one of bodies) expect(body.strict().safeParse(one).error?.issues ?? [], kind).toEqual([]);
      for (const one of bodies)
        expect(Object.keys(one.data), kind).toEqual(expect.arrayContaining(Object.keys(body.shape.data.shape)));
      for (const one of bodies)
        expect(Object.keys(body.shape.data.shape), kind).toEqual(expect.arrayContaining(Object.keys(one.data)));
    }
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(WEBHOOK_KINDS));
    // The texts that buyers and the operator wrote are in none.
    expect(JSON.stringify(told)).not.toMatch(/Wind it|buyer-1@|secret|whsec/i);
  });

  test('a receiver that is down for an hour gets every event afterwards, in order for each record', async () => {
    await aWebhook(service);
    receiver.answer = () => new Error('connect ECONNREFUSED');
    for (let minute = 0; minute < 60; minute++) {
      clock.at = minutesLater(minute);
      await saveOrder(1 + (minute % 3), { payment_method: `means-${minute}` });
      await deliverAll(service);
    }
    expect(await webhookNow()).toMatchObject({ paused: null });
    receiver.answer = () => 200;
    for (let minute = 60; minute < 240; minute++) {
      clock.at = minutesLater(minute);
      await deliverAll(service);
    }
    const means = receiver.bodies().map(({ data }) => [data.id, Number(data.payment_method.slice(6))] as const);
    expect(means).toHaveLength(60);
    for (const id of [1, 2, 3]) {
      const own = means.filter(([of]) => of === id).map(([, minute]) => minute);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  test('a blocked event of one record delays no other record', async () => {
    await aWebhook(service);
    receiver.answer = ({ body }) => (JSON.parse(body).data.id === 1 ? 500 : 200);
    for (const id of [1, 2]) await saveOrder(id);
    for (const id of [1, 2]) await saveOrder(id, { payment_method: 'later' });
    expect((await deliverAll(service)).toSorted()).toEqual(['delivered', 'delivered', 'rests']);
    receiver.answer = () => 200;
    clock.at = minutesLater(2);
    await deliverAll(service);
    expect(
      receiver
        .bodies()
        .slice(-2)
        .map(({ data }) => data.payment_method),
    ).toEqual([anOrder().payment_method, 'later']);
  });

  test('two workers never send to one webhook at the same time or send twice', async () => {
    const engines = memoryEngines();
    let [atOnce, most] = [0, 0];
    receiver.answer = async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 1));
      atOnce -= 1;
      return 200;
    };
    const workers = [1, 2].map(() => memoryService({ clock, webhookSender: receiver }, engines));
    [service] = workers as [Service];
    await aWebhook(service);
    for (let id = 1; id <= 20; id++) await saveOrder(id);
    await Promise.all(workers.map(deliverAll));
    await deliverAll(service);
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(20);
    expect(receiver.got).toHaveLength(20);
    expect(most).toBe(1);
  });

  test('a webhook that fails for three days is paused, and gets the queued events once it resumes', async () => {
    const { id } = await aWebhook(service);
    receiver.answer = () => 503;
    await saveOrder(1);
    const paused: unknown[] = [];
    for (let hour = 0; hour <= 80; hour++) {
      clock.at = minutesLater(hour * 60);
      if (hour === 70) await saveOrder(2);
      await service.get('sendDeliveries')(grantPermit(), (sent) => sent.paused && paused.push(sent.paused));
    }
    expect(paused).toEqual(['failing']);
    expect(await webhookNow()).toMatchObject({ paused: { reason: 'failing' } });
    await saveOrder(3);
    receiver.got = [];
    receiver.answer = () => 200;
    expect(await deliverAll(service)).toEqual([]);
    done(await service.get('changeWebhook')(BY_WEBHOOK, { webhook_id: id, url: null, kinds: null, paused: false }));
    await deliverAll(service);
    expect(receiver.bodies().map(({ data }) => data.id)).toEqual([1, 2, 3]);
    const [newest] = done(await service.get('listDeliveries')({ webhook_id: id, limit: 9, after: null }));
    done(await service.get('resendDelivery')(BY_WEBHOOK, { webhook_id: id, delivery_id: newest?.id ?? 0 }));
    await deliverAll(service);
    expect(receiver.got.at(-1)?.id).toBe(newest?.message_id);
  });

  test('one failure after weeks of pause loses nothing, and a fixed receiver is tried at once', async () => {
    const { id } = await aWebhook(service);
    for (let order = 1; order <= 5; order += 1) await saveOrder(order);
    done(await change(id, { paused: true }));
    clock.at = minutesLater(20 * 24 * 60);
    receiver.answer = () => 503;
    done(await change(id, { paused: false }));
    expect(await deliverAll(service)).toEqual(['rests', 'rests', 'rests']);
    receiver.got = [];
    receiver.answer = () => 200;
    expect(await deliverAll(service)).toEqual([]);
    done(await change(id, { url: 'https://mended.example/' }));
    await deliverAll(service);
    expect(receiver.bodies().map(({ data }) => data.id)).toEqual([4, 5]);
    clock.at = minutesLater(21 * 24 * 60);
    await deliverAll(service);
    expect(receiver.bodies().map(({ data }) => data.id)).toEqual([4, 5, 1, 2, 3]);
  });

  test('a delivery is given up after twenty attempts while others succeed', async () => {
    await aWebhook(service);
    receiver.answer = ({ body }) => (JSON.parse(body).data.id === 1 ? 500 : 200);
    await saveOrder(1);
    const ends: string[] = [];
    for (let hour = 0; hour < 80; hour += 1) {
      clock.at = minutesLater(hour * 60);
      await saveOrder(2, { payment_method: `means-${hour}` });
      ends.push(...(await deliverAll(service)));
    }
    expect(ends.filter((end) => end !== 'delivered')).toEqual([...Array(19).fill('rests'), 'failed']);
  });

  test('thousands of waiting deliveries do not delay later ones', async () => {
    await aWebhook(service);
    receiver.answer = ({ body }) => (JSON.parse(body).data.id % 2 === 1 ? 400 : 200);
    for (let id = 1; id <= 601; id += 1) await saveOrder(id);
    await deliverAll(service);
    expect(receiver.bodies().filter(({ data }) => data.id % 2 === 0)).toHaveLength(300);
    await saveOrder(1000);
    await deliverAll(service);
    expect(receiver.bodies().at(-1)?.data.id).toBe(1000);
  });

  test('deliveries that wait for a retry are read once until then, and new or resent ones are due at once', async () => {
    const engines = memoryEngines();
    let pages = 0;
    const table = watched(engines.table, (call, [query]) => {
      const { pk, descending } = query as { readonly pk: string; readonly descending?: boolean };
      if (call === 'query' && pk.startsWith('WEBHOOKQUEUE#') && !descending) pages += 1;
      return undefined;
    });
    service = memoryService({ clock, webhookSender: receiver }, { ...engines, table }, MAILING);
    await put(service, { accounts: [anAccount()] });
    const { id } = await aWebhook(service);
    receiver.answer = ({ body }) => (JSON.parse(body).data.id % 2 === 1 ? 400 : 200);
    for (let order = 1; order <= 402; order += 1) await saveOrder(order);
    await deliverAll(service);
    pages = 0;
    for (let poll = 0; poll < 15; poll += 1) await deliverAll(service);
    expect(pages).toBe(0);
    await saveOrder(1000);
    await deliverAll(service);
    expect(receiver.bodies().at(-1)?.data.id).toBe(1000);
    const waiting = (await service.get('webhookQueue').list(id, { limit: 9, before: null })).filter(
      ({ state }) => state === 'waiting',
    );
    receiver.answer = () => 200;
    done(await service.get('resendDelivery')(BY_WEBHOOK, { webhook_id: id, delivery_id: waiting[0]?.id ?? 0 }));
    await deliverAll(service);
    expect(receiver.bodies().at(-1)?.data.id).toBe(401);
    receiver.got.length = 0;
    clock.at = minutesLater(2);
    await deliverAll(service);
    expect(receiver.got).toHaveLength(200);
  });

  test('what a clock years ahead has delayed or leased is sent at once when the clock is right', async () => {
    await aWebhook(service);
    receiver.answer = () => new Error('connect ECONNREFUSED');
    for (let minute = 0; minute < 60; minute++) {
      clock.at = new Date(Date.UTC(2036, 0, 1, 0, minute)).toISOString();
      await saveOrder(1 + minute);
      await deliverAll(service);
    }
    expect(await webhookNow()).toMatchObject({ paused: null });
    clock.at = NOW;
    receiver.answer = () => 200;
    await deliverAll(service);
    expect(receiver.got).toHaveLength(60);
    await saveOrder(99);
    clock.at = '2037-01-01T00:00:00.000Z';
    const { webhookQueue } = service.parts;
    await webhookQueue.spread(BY_WEBHOOK);
    const id = (await webhookNow())?.id ?? 0;
    expect(await webhookQueue.lease(BY_WEBHOOK, id, clock.at, '2037-01-01T00:02:00.000Z')).toBeDefined();
    clock.at = NOW;
    expect(await deliverAll(service)).toEqual(['delivered']);
  });

  test('a slow receiver delays no other webhook', async () => {
    service = memoryService({ webhookSender: receiver }, memoryEngines(), MAILING);
    await put(service, { accounts: [anAccount()] });
    for (const url of ['https://slow.example', 'https://quick.example']) await aWebhook(service, [], url);
    let answerSlow = (_: number): void => {};
    receiver.answer = ({ url }) =>
      url.includes('slow')
        ? new Promise((resolve) => {
            answerSlow = resolve;
          })
        : 200;
    for (let id = 1; id <= 300; id += 1) await saveOrder(id);
    const sending = deliverAll(service);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(300), 5000);
    await saveOrder(1000);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(301), 5000);
    receiver.answer = () => 200;
    answerSlow(200);
    await sending;
    expect(receiver.got).toHaveLength(602);
  });

  test.each([
    ['deleted', (id: number) => service.get('deleteWebhook')(BY_WEBHOOK, { webhook_id: id }), 0],
    ['paused', (id: number) => change(id, { paused: true }), 0],
    ['changed to other kinds', (id: number) => change(id, { kinds: ['device.*'] }), 0],
    ['moved', (id: number) => change(id, { url: 'https://new.example/' }), 2],
    ['given a new secret', (id: number) => service.get('rotateWebhookSecret')(BY_WEBHOOK, { webhook_id: id }), 2],
  ])('a webhook that is %s during a turn gets nothing more in its old form', async (_, act, later) => {
    const { id, secret } = await aWebhook(service);
    for (const order of [1, 2, 3]) await saveOrder(order);
    receiver.answer = async () => {
      if (receiver.got.length === 0) done((await act(id)) as Outcome<unknown, string>);
      return 200;
    };
    await deliverAll(service);
    const [first, ...others] = receiver.got;
    expect(others).toHaveLength(later);
    for (const { url, secrets } of others) expect([url, secrets]).not.toEqual([first?.url, [secret]]);
  });

  test.each([
    [204, 'delivered', null],
    [301, 'rests', null],
    [404, 'rests', null],
    [410, 'rests', 'gone'],
  ])('a response of %i leaves a delivery %s and pauses as %s', async (status, end, reason) => {
    await aWebhook(service);
    receiver.answer = () => status;
    await saveOrder(1);
    expect(await deliverAll(service)).toEqual([end]);
    expect((await webhookNow())?.paused?.reason ?? null).toBe(reason);
    if (reason === 'gone') {
      await saveOrder(2);
      expect(
        done(await service.get('listDeliveries')({ webhook_id: (await webhookNow())?.id ?? 0, limit: 9, after: null })),
      ).toHaveLength(1);
    }
  });

  test('only the selected kinds are sent, a ping always, and the service sends itself nothing', async () => {
    const { id } = await aWebhook(service, ['device.*', 'sale.refunded']);
    await changesOfEachKind(service);
    await refundTheOrder(service);
    await service.get('billingRecords').saveOrder(grantPermit(), anOrder({ id: 9, number: 'O-9' }));
    done(await service.get('pingWebhook')(BY_WEBHOOK, { webhook_id: id }));
    await deliverAll(service);
    expect(receiver.types().toSorted()).toEqual(['device.activated', 'ping', 'sale.refunded']);
  });

  test('a new secret signs beside the former one for a day, and both survive a change of the encryption key', async () => {
    const { id, secret: first } = await aWebhook(service);
    const { secret: second } = done(await service.get('rotateWebhookSecret')(BY_WEBHOOK, { webhook_id: id }));
    done(await service.get('createSigningKey')(BY_WEBHOOK, 'license'));
    done(await service.get('activateSigningKey')(BY_WEBHOOK, 'license', { unlisted: true }));
    const secretsAt = async (minutes: number) => {
      clock.at = minutesLater(minutes);
      done(await service.get('pingWebhook')(BY_WEBHOOK, { webhook_id: id }));
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await deliverAll(service);
      return receiver.got.at(-1)?.secrets;
    };
    expect(await secretsAt(1)).toEqual([second, first]);
    expect(await secretsAt(24 * 60 + 1)).toEqual([second]);
    expect(JSON.stringify(await service.get('webhooks').list())).not.toContain('whsec_');
  });

  test('of many webhooks that are created at once, at most ten are stored', async () => {
    const create = () => service.get('createWebhook')(BY_WEBHOOK, { url: 'https://shop.example/hook', kinds: null });
    await Promise.all(Array.from({ length: 25 }, create));
    expect((await service.get('listWebhooks')()).length).toBeLessThanOrEqual(10);
  });

  test('a device that takes a slot is reported once', async () => {
    await aWebhook(service, ['device.activated']);
    await seat(service, 'Laptop');
    await deliverAll(service);
    expect(receiver.bodies()).toMatchObject([
      { type: 'device.activated', data: { device_id: 'Laptop', account_id: 1 } },
    ]);
  });
});
