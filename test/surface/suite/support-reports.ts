import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aStranger, type Buyer } from '../buyers.ts';
import { post, type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';

const PATH = '/api/support/reports';

const report = (more: object = {}) => ({
  kind: 'app_report',
  summary: 'The timer stops',
  detail: `After a minute it stops. ${randomUUID()}`,
  app_bundle_id: 'com.example.timer',
  app_version: '1.4.0',
  macos_version: '15.1',
  device_id: 'a-device',
  ...more,
});

export const supportReportsSuite = (mount: () => Mount): void => {
  const tell = ({ key }: Buyer, body: unknown) => post(mount(), PATH, key, body);
  const ticketOf = ({ body }: Reply): number => body.ticket.id;
  const shown = async (id: number) => {
    const found = await mount().service.get('showReport')(String(id));
    if (!found.ok || found.value.kind !== 'support') throw new Error(`${id} is not kept.`);
    return found.value;
  };
  const ticketsOf = async ({ account }: Buyer): Promise<number[]> => {
    const all = await Array.fromAsync(mount().service.get('tickets').list());
    return all.filter(({ account_id }) => account_id === account).map(({ id }) => id);
  };

  test('a support report opens a ticket with all its fields', async () => {
    const buyer = await aStranger(mount().service);
    const told = report();
    const reply = await tell(buyer, told);
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        ticket: {
          id: expect.any(Number),
          kind: 'app_report',
          status: 'open',
          created_at: expect.any(String),
          reports: 1,
          bundle: null,
        },
        deduplicated: false,
      },
    ]);
    const { ticket, count, files } = await shown(ticketOf(reply));
    expect(ticket).toMatchObject({ ...told, account_id: buyer.account, status: 'open' });
    expect([count, files]).toEqual([1, []]);
  });

  test('a support report may omit its optional fields or send null for them', async () => {
    const buyer = await aStranger(mount().service);
    const none = { app_bundle_id: null, app_version: null, macos_version: null, device_id: null };
    const first = await tell(buyer, { kind: 'general', summary: 'a', detail: 'b' });
    const second = await tell(buyer, { kind: 'general', summary: 'a', detail: 'b', ...none, bundle: null });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect((await shown(ticketOf(first))).ticket).toMatchObject(none);
  });

  describe('a repeated support report', () => {
    test('a support report repeated within 24 hours joins its ticket with 200', async () => {
      const buyer = await aStranger(mount().service);
      const told = report();
      const first = await tell(buyer, told);
      const again = await tell(buyer, { ...told, app_version: '1.4.1', device_id: 'another-device' });
      expect([again.status, again.body]).toEqual([
        200,
        { ticket: { ...first.body.ticket, reports: 2 }, deduplicated: true },
      ]);
      expect((await shown(ticketOf(first))).count).toBe(2);
    });
  });

  test('50 concurrent copies of a support report make one ticket', async () => {
    const buyer = await aStranger(mount().service);
    const told = report();
    const replies = await Promise.all(Array.from({ length: 50 }, () => tell(buyer, told)));
    expect(new Set(replies.map(ticketOf)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(replies.map(({ body }) => body.ticket.reports).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    expect(await ticketsOf(buyer)).toEqual([ticketOf(replies[0] as Reply)]);
  });

  test.each([
    ['kind', undefined],
    ['kind', 'praise'],
    ['summary', undefined],
    ['summary', ''],
    ['summary', '  \n '],
    ['summary', 'x'.repeat(501)],
    ['detail', null],
    ['detail', 'x'.repeat(20_001)],
    ['app_bundle_id', 'x'.repeat(256)],
    ['app_version', 'x'.repeat(51)],
    ['macos_version', 15],
    ['device_id', 'x'.repeat(256)],
    ['bundle', 'UEsDBA=='],
    ['bundle', {}],
  ])('a support report with a %s of %j is 422', async (field, value) => {
    const buyer = await aStranger(mount().service);
    const { status, body } = await tell(buyer, report({ [field]: value }));
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(await ticketsOf(buyer)).toEqual([]);
  });

  test('a support report repeated with its Idempotency-Key gets the first response', async () => {
    const { key } = await aStranger(mount().service);
    const headers = { 'Idempotency-Key': randomUUID() };
    const json = report();
    const first = await send(mount(), 'POST', PATH, { key, json, headers });
    const again = await send(mount(), 'POST', PATH, { key, json, headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
};
