import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { SIGNERS, shopEvent, shopOrder } from '../support/payment-bodies.ts';
import { anAgent } from '../surface/agents.ts';
import { aBuyer } from '../surface/buyers.ts';
import { post, send } from '../surface/client.ts';
import type { MountSettings } from '../surface/mount.ts';
import { openShop, TOOL } from '../surface/shop.ts';
import type { LambdaMount } from './lambda-mount.ts';

/** Wakes the sender of mail once, as the schedule does each minute. */
export const sendMail = async ({ fleets }: Pick<LambdaMount, 'fleets'>): Promise<void> => {
  const { answer, settled } = await fleets.mail.invoke(JSON.stringify({ source: 'aws.events' }));
  settled();
  if (answer.kind !== 'result') throw new Error(`The sender answered with ${JSON.stringify(answer)}.`);
};

/** Tests each kind of message from its cause to its sending, by the function that a schedule wakes. */
export const mailSuite = (open: (settings: MountSettings) => Promise<LambdaMount>): void => {
  let mount: LambdaMount;
  beforeAll(async () => {
    mount = await open({ webhookSecrets: { shop: [SIGNERS.shop.secret] } });
    await openShop(mount.service);
  }, 120_000);
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  const deliver = async (event: object, state = 'done'): Promise<void> => {
    const text = JSON.stringify(event);
    const id = createHash('sha256').update(text).digest('hex');
    const headers = { 'content-type': 'application/json', ...SIGNERS.shop.sign(text, Date.now(), undefined, id) };
    const reply = await send(mount, 'POST', '/webhooks/shop', { text, headers });
    expect([reply.status, reply.body]).toEqual([200, { state }]);
  };

  const sent = (): string[] =>
    mount.lines.flatMap((line) => {
      const { msg, kind } = line.startsWith('{') ? (JSON.parse(line) as Record<string, string>) : {};
      return msg === 'message sent' && kind !== undefined ? [kind] : [];
    });

  test('an event that is refused is counted for CloudWatch when the schedule wakes the shop function', async () => {
    await deliver(shopEvent('order', shopOrder({ reference: 'refused', currency: 'qqq' })), 'refused');
    const { answer, settled } = await mount.fleets.shop.invoke(JSON.stringify({ source: 'aws.events' }));
    settled();
    expect(answer.kind).toBe('result');
    const told = () => mount.lines.flatMap((line) => (line.includes('"msg":"sale events"') ? [JSON.parse(line)] : []));
    await expect
      .poll(told)
      .toMatchObject([{ sale_events: 1, _aws: { CloudWatchMetrics: [{ Dimensions: [['stage']] }] } }]);
  });

  test('an order, a device, a key, an answer and a sign-in link are sent when the schedule wakes the function', async () => {
    await deliver(
      shopEvent('order', shopOrder({ reference: 'mailed', lines: [{ product: 'other', total_cents: 19_000 }] })),
    );
    const { service } = mount;
    const buyer = await aBuyer(service);
    await post(mount, '/api/license/check', buyer.key, { product_id: TOOL, device_id: 'mailed' });
    const problem = { kind: 'general', summary: 'It stops', detail: 'After a minute it stops.' };
    const { ticket } = (await post(mount, '/api/support/reports', buyer.key, problem)).body;
    const { key } = await anAgent(service, 'everything');
    const made = await post(mount, `/api/shop/accounts/${buyer.account}/keys`, key, { name: 'mailed' });
    expect(made.status).toBe(201);
    const answered = await post(mount, `/api/shop/tickets/${ticket.id}/answers`, key, { text: 'Try again.' });
    expect(answered.status).toBe(201);
    await service.get('messages').add(grantPermit(), {
      kind: 'sign_in',
      account_id: null,
      email: (await service.get('accounts').get(buyer.account))?.email ?? '',
      product_id: null,
      subject_id: '',
    });
    expect(sent()).toEqual([]);
    await sendMail(mount);
    expect(new Set(sent())).toEqual(new Set(['order', 'device', 'key', 'answer', 'sign_in']));
    expect(await service.get('messages').waiting(10)).toEqual([]);
  });

  test('nothing is sent twice', async () => {
    const before = sent().length;
    await sendMail(mount);
    expect(sent()).toHaveLength(before);
  });
};
