import { beforeEach, describe, expect, test } from 'vitest';
import { supportKeys } from '../../../adapters/store/keys/support.ts';
import { addDays, DAY_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { type SupportReport, TICKETS_KEPT_DAYS } from '../../../domain/support/ticket.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, countedIds, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';
import { aReport } from '../../support/report-builders.ts';

const BUYER = 7;

const aDesk = () => {
  const clock = aClock();
  const service = bootstrap(SETTINGS, memoryEngines(), [support], { clock, ids: countedIds(), pauses: noPauses });
  const closeTicket = service.get('closeTicket');
  return {
    clock,
    try: (report: Partial<SupportReport> = {}, account_id = BUYER) =>
      passed(service.get('receiveSupportReport')({ account_id, body: aReport(report), files: { bundle: null } })),
    report: async (report: Partial<SupportReport> = {}, account_id = BUYER, permit = PERMIT) =>
      done(
        await passed(
          service.get('receiveSupportReport')({ account_id, body: aReport(report), files: { bundle: null } }),
          permit,
        ),
      ),
    shown: async (id: number) => done(await service.get('showReport')(String(id))),
    table: () => service.get('table'),
    close: async (id: number) => done(await closeTicket(await PERMIT, { ticket_id: id })),
    tickets: () => Array.fromAsync(service.get('tickets').list()),
  };
};

let desk: ReturnType<typeof aDesk>;
beforeEach(() => {
  desk = aDesk();
});

test('an account can open 50 tickets a day, reports still join them, and other accounts and days are unaffected', async () => {
  for (let n = 0; n < 50; n++) await desk.report({ detail: `problem ${n}` });
  expect(await desk.try({ detail: 'one more' })).toMatchObject({
    ok: false,
    code: 'rate_limited',
    message:
      'The limit of 50 new tickets of an account a day (UTC) is reached; wait the number of seconds in Retry-After.',
    retryAfter: (millis('2026-11-22T00:00:00.000Z') - millis(NOW)) / 1000,
  });
  expect(await desk.report({ detail: 'problem 3' })).toMatchObject({ deduplicated: true });
  expect(await desk.try({ detail: 'one more' }, BUYER + 1)).toMatchObject({ ok: true });
  expect(await desk.tickets()).toHaveLength(51);
  desk.clock.at = '2026-11-22T00:00:00.000Z';
  expect(await desk.try({ detail: 'one more' })).toMatchObject({ ok: true });
});

test('a ticket is deleted completely three years after its opening', async () => {
  await desk.report();
  await desk.report({ device_id: 'other' });
  const expiry = millis(addDays(NOW, TICKETS_KEPT_DAYS)) / 1000;
  for (const key of [supportKeys.ticket(1), supportKeys.joinedReport(1, 2)]) {
    expect((await desk.table().get(key))?.expires_at).toBe(expiry);
  }
  await desk.close(1);
  expect((await desk.table().get(supportKeys.ticket(1)))?.expires_at).toBe(expiry);
});

test('a ticket keeps the details of the 20 newest reports that joined it', async () => {
  for (let n = 1; n <= 25; n++) await desk.report({ app_version: `1.0.${n}`, device_id: `device-${n}` });
  const shown = await desk.shown(1);
  if (shown.kind !== 'support') throw new Error('Report 1 is no ticket.');
  expect(shown.count).toBe(25);
  expect(shown.ticket.app_version).toBe('1.0.1');
  expect(shown.joined.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => 25 - n));
  expect(shown.joined[0]).toEqual({
    number: 25,
    received_at: NOW,
    app_version: '1.0.25',
    macos_version: null,
    device_id: 'device-25',
  });
});

describe('a repeated report', () => {
  test('the same report joins its ticket within 24 hours of the opening, and opens another one from then on', async () => {
    await desk.report();
    desk.clock.at = toInstant(millis(NOW) + DAY_MS - 1);
    expect(await desk.report()).toMatchObject({ ticket: { id: 1, reports: 2 }, deduplicated: true });
    desk.clock.at = addDays(NOW, 1);
    expect(await desk.report()).toMatchObject({ ticket: { reports: 1 }, deduplicated: false });
    expect(await desk.tickets()).toHaveLength(2);
  });

  test('a report with other white space, another version or another device is the same report', async () => {
    await desk.report();
    const again = { summary: ' It  stops\n', app_version: '1.0.1', device_id: 'other' };
    expect(await desk.report(again)).toMatchObject({ deduplicated: true });
    expect(await desk.tickets()).toMatchObject([{ app_version: '1.0.0', device_id: null }]);
  });

  test.each<[string, Partial<SupportReport>, number]>([
    ['kind', { kind: 'refund_request' }, BUYER],
    ['application', { app_bundle_id: 'com.example.notes' }, BUYER],
    ['summary', { summary: 'It stops now' }, BUYER],
    ['detail', { detail: 'After an hour the clock stops.' }, BUYER],
    ['account', {}, 8],
  ])('a report of another %s opens its own ticket', async (_, other, account) => {
    await desk.report();
    expect(await desk.report(other, account)).toMatchObject({ ticket: { reports: 1 }, deduplicated: false });
    expect(await desk.tickets()).toHaveLength(2);
  });

  test('a report that joins a closed ticket opens it again', async () => {
    const { ticket } = await desk.report();
    await desk.close(ticket.id);
    expect(await desk.report()).toMatchObject({ ticket: { id: ticket.id, status: 'open' }, deduplicated: true });
    expect(await desk.tickets()).toMatchObject([{ status: 'open' }]);
  });

  test('of the same report sent several times at once, one opens a ticket and the others join it', async () => {
    const sent = await Promise.all(Array.from({ length: 5 }, () => desk.report()));
    expect(sent.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
    expect(sent.map(({ ticket }) => ticket.reports).toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(await desk.tickets()).toHaveLength(1);
  });
});

test('no ticket is opened until the permit of the report is granted', async () => {
  expect(await withoutPermit((permit) => desk.report({}, BUYER, permit))).toBe(true);
  expect(await desk.tickets()).toEqual([]);
});
