import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { supportKeys } from '../../../adapters/store/keys/support.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { DAY_MS, toInstant } from '../../../domain/shared/instant.ts';
import { TICKETS_A_DAY } from '../../../domain/support/ticket.ts';
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

  test('a support report is kept as it was written, with the addresses in it', async () => {
    const buyer = await aStranger(mount().service);
    const told = report({ summary: 'Reach me at jane@example.com', detail: `Log: /Users/jane/log ${randomUUID()}` });
    expect((await shown(ticketOf(await tell(buyer, told)))).ticket).toMatchObject(told);
  });

  test('the 51st new ticket of a day is 429 until midnight in UTC, and a report that joins a ticket is not', async () => {
    const buyer = await aStranger(mount().service);
    const told = report();
    await tell(buyer, told);
    await mount()
      .service.get('dailyBounds')
      .count(grantPermit(), TICKETS_A_DAY, String(buyer.account), TICKETS_A_DAY.most - 1, toInstant(Date.now()));
    const { status, body, headers } = await tell(buyer, report());
    expect([status, body.message]).toEqual([429, expect.stringContaining('50 new tickets of an account a day')]);
    const midnight = new Date(Date.now() + Number(headers.get('retry-after')) * 1000);
    expect(midnight.getUTCHours() * 60 + midnight.getUTCMinutes()).toBe(0);
    expect((await tell(buyer, told)).status).toBe(200);
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

    test('a support report that differs in whitespace and Unicode form joins its ticket', async () => {
      const buyer = await aStranger(mount().service);
      const told = report({ detail: 'It stops.\nThen it\u00a0starts. e\u0301' });
      await tell(buyer, told);
      const again = await tell(buyer, { ...told, detail: '  It stops.\r\n Then it starts. é ' });
      expect(again.body.deduplicated).toBe(true);
    });

    test.each([
      { kind: 'refund_request' },
      { summary: 'The timer runs' },
      { detail: 'Another.' },
      { app_bundle_id: 'com.example.other' },
      { app_bundle_id: null },
    ])('a support report that differs by %j opens another ticket', async (change) => {
      const buyer = await aStranger(mount().service);
      const told = report();
      const first = await tell(buyer, told);
      const other = await tell(buyer, { ...told, ...change });
      expect([other.status, other.body.deduplicated]).toEqual([201, false]);
      expect(ticketOf(other)).not.toBe(ticketOf(first));
    });

    test('the same support report by another account opens another ticket', async () => {
      const [one, two] = [await aStranger(mount().service), await aStranger(mount().service)];
      const told = report();
      const replies = [await tell(one, told), await tell(two, told)];
      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    });

    test('a support report that joins a closed ticket reopens it', async () => {
      const buyer = await aStranger(mount().service);
      const told = report();
      const first = await tell(buyer, told);
      await mount().service.get('closeTicket')(grantPermit(), ticketOf(first));
      const again = await tell(buyer, told);
      expect([again.status, again.body.ticket]).toEqual([200, { ...first.body.ticket, reports: 2 }]);
    });

    test.each([
      [-1000, 200],
      [1000, 201],
    ])('the 24 hours count from the opening of the ticket: a report %d ms after them is %d', async (after, status) => {
      const buyer = await aStranger(mount().service);
      const table = mount().service.get('table');
      const identity = JSON.stringify(['general', null, 'a', 'b']);
      const told = { kind: 'general', summary: 'a', detail: 'b' };
      const first = await tell(buyer, told);
      // The expiry is in the future, like that of an item that the engine has yet to delete.
      const opening = { ticket_id: ticketOf(first), opened_at: toInstant(Date.now() - DAY_MS - after) };
      const expiresAt = Math.ceil(Date.now() / 1000) + 3600;
      await table.put(itemOf(supportKeys.opening(buyer.account, identity), opening, expiresAt));
      expect((await tell(buyer, told)).status).toBe(status);
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

  test('50 different concurrent support reports make 50 tickets', async () => {
    const buyer = await aStranger(mount().service);
    const replies = await Promise.all(Array.from({ length: 50 }, () => tell(buyer, report())));
    expect(new Set(replies.map(ticketOf)).size).toBe(50);
    expect(replies.every(({ status }) => status === 201)).toBe(true);
    expect(await ticketsOf(buyer)).toHaveLength(50);
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
