import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { anOrder } from '../support/builders.ts';
import { SIGNERS, shopEvent, shopOrder } from '../support/payment-bodies.ts';
import { anAgent } from '../surface/agents.ts';
import { aBuyer, putOrder } from '../surface/buyers.ts';
import { get, post, send } from '../surface/client.ts';
import type { MountSettings } from '../surface/mount.ts';
import { openShop, TOOL } from '../surface/shop.ts';
import type { LambdaMount } from './lambda-mount.ts';

/** Wakes the sender of mail once, as the schedule does each minute. */
export const sendMail = async ({ fleets }: Pick<LambdaMount, 'fleets'>): Promise<void> => {
  const { answer, settled } = await fleets.mail.invoke(JSON.stringify({ source: 'aws.events' }));
  settled();
  if (answer.kind !== 'result') throw new Error(`The sender answered with ${JSON.stringify(answer)}.`);
};

/** Tests each kind of message from its cause to its sending, by the scheduled function. */
export const mailSuite = (open: (settings: MountSettings) => Promise<LambdaMount>): void => {
  let mount: LambdaMount;
  beforeAll(async () => {
    mount = await open({ webhookSecrets: { shop: [SIGNERS.shop.secret] } });
    await openShop(mount.service, { counted: false });
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

  /** The log lines with this message. */
  const told = (msg: string) =>
    mount.lines.flatMap((line) => (line.includes(`"msg":"${msg}"`) ? [JSON.parse(line)] : []));

  const wakeShop = async (event: object) => {
    const { answer, settled } = await mount.fleets.shop.invoke(JSON.stringify(event));
    settled();
    if (answer.kind !== 'result') throw new Error(`The function answered with ${JSON.stringify(answer)}.`);
    return answer.json;
  };

  test('the scheduled function counts the orders of an older store', async () => {
    await putOrder(mount.service, anOrder({ id: 77, account_id: 7, ordered_at: toInstant(Date.now()) }));
    const { key } = await anAgent(mount.service, 'orders');
    const sums = async () => (await get(mount, '/api/shop/sums', key)).body;
    expect(await sums()).toMatchObject({ is_complete: false, totals: [] });
    await sendMail(mount);
    expect(await sums()).toMatchObject({ is_complete: true, totals: [{ currency: 'USD', orders: 1 }] });
  });

  test('a refused event and one that has waited for an hour are counted in CloudWatch by the scheduled shop function', async () => {
    await deliver(shopEvent('order', shopOrder({ reference: 'refused', currency: 'qqq' })), 'refused');
    const received_at = toInstant(Date.now() - 61 * 60_000);
    const waits = { provider: 'shop', id: 'waits', type: 'order', account_id: null, body: '{}', reason: 'Its order.' };
    await mount.service.get('paymentEvents').save(grantPermit(), { ...waits, state: 'waiting', received_at });
    await wakeShop({ source: 'aws.events' });
    await expect
      .poll(() => told('sale events'))
      .toMatchObject([{ sale_events: 2, _aws: { CloudWatchMetrics: [{ Dimensions: [['stage']] }] } }]);
  });

  test('the scheduled doctor counts its findings in CloudWatch and returns them to an operator who calls it', async () => {
    const findings: { check: string; ok: boolean }[] = JSON.parse(await wakeShop({ doctor: true }));
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['store', 'objects', 'catalog', 'mail', 'webhooks']),
    );
    const wrong = findings.filter(({ ok }) => !ok);
    expect(new Set(wrong.map(({ check }) => check))).toContain('webhooks');
    expect(wrong.map(({ check }) => check)).not.toContain('objects');
    await expect.poll(() => told('doctor')).toMatchObject([{ doctor_wrong: wrong.length, stage: 'dev', wrong }]);
  });

  test('a failed message is counted in CloudWatch when the schedule wakes the sender', async () => {
    const messages = mount.service.get('messages');
    const about = { kind: 'passkey', account_id: 1, subject_id: '', product_id: null } as const;
    await messages.add(grantPermit(), about);
    const taken = await messages.take(grantPermit(), toInstant(Date.now()), toInstant(Date.now() + 120_000));
    if (typeof taken === 'string') throw new Error(taken);
    await messages.fail(grantPermit(), taken, 'No such mailbox.', toInstant(Date.now()));
    await sendMail(mount);
    await expect
      .poll(() => told('unsent mail').at(-1))
      .toMatchObject({ unsent_mail: 1, _aws: { CloudWatchMetrics: [{ Dimensions: [['stage']] }] } });
  });

  test('the scheduled function sends the mails of an order, a device, a key, a reply and a sign-in link', async () => {
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

  test('no mail is sent twice', async () => {
    const before = sent().length;
    await sendMail(mount);
    expect(sent()).toHaveLength(before);
  });
};
