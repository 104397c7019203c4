import { beforeEach, expect, test } from 'vitest';
import { REPORTS, type ReportInput } from '../../../application/support/reports.ts';
import { replyToTicket } from '../../../application/support/tickets.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aClock, countedIds } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { aCrash, aReport, SENDER } from '../../support/report-builders.ts';

const MONDAY = '2026-11-16T08:00:00.000Z';
const TUESDAY = '2026-11-17T08:00:00.000Z';
const WEDNESDAY = '2026-11-18T08:00:00.000Z';
const CLOCK = 'com.example.clock';
const NOTES = 'com.example.notes';

const clock = aClock();
const aDesk = () =>
  bootstrap(SETTINGS, memoryEngines(), [support, { parts: { replyToTicket } }], { clock, ids: countedIds() });
let service: ReturnType<typeof aDesk>;

const crash = (app_bundle_id: string) =>
  passed(service.get('receiveErrorReport')({ body: aCrash('tick', { app_bundle_id }), owner: SENDER }));
const complain = async (app_bundle_id: string) => {
  const report = aReport({ app_bundle_id });
  const received = passed(
    service.get('receiveSupportReport')({ account_id: 7, body: report, files: { bundle: null } }),
  );
  return done(await received).ticket.id;
};

/** On Monday, a crash of Clock and a closed ticket about it; on Tuesday, a ticket about Notes, twice. */
beforeEach(async () => {
  service = aDesk();
  clock.at = MONDAY;
  await crash(CLOCK);
  await service.get('closeTicket')(await PERMIT, { ticket_id: await complain(CLOCK) });
  clock.at = TUESDAY;
  await complain(NOTES);
  await complain(NOTES);
  clock.at = WEDNESDAY;
});

const list = (input: Partial<ReportInput> = {}) =>
  service.get('listReports')({ kind: null, status: null, app: null, since: null, limit: 10, ...input });
const named = async (input: Partial<ReportInput>) =>
  (await list(input)).map(({ kind, app_bundle_id }) => `${kind} ${app_bundle_id?.split('.').at(-1)}`).toSorted();

test('errors and tickets are listed together, newest first, with their number of reports', async () => {
  await crash(CLOCK);
  expect(await list()).toMatchObject([
    {
      kind: 'error',
      type: 'crash',
      title: 'TypeError: no hands',
      status: null,
      first_seen: MONDAY,
      last_seen: WEDNESDAY,
      reports: 2,
    },
    { kind: 'support', type: 'app_report', title: 'It stops', status: 'open', last_seen: TUESDAY, reports: 2 },
    { kind: 'support', status: 'closed', first_seen: MONDAY, reports: 1 },
  ]);
});

test('sorting by waiting time puts the longest waiting buyer first and answered tickets last', async () => {
  const about = (name: string) => complain(`com.example.${name}`);
  const [first, second] = [await about('first'), await about('second')];
  await about('third');
  const reply = { account_id: 7, text: 'It still stops.' };
  const answer = async (id: number) =>
    service.get('answerTicket')(await PERMIT, { id, text: 'Install 1.2.', close: false });
  await answer(first);
  await answer(second);
  clock.at = addDays(WEDNESDAY, 1);
  done(await service.get('replyToTicket')(await PERMIT, { ...reply, id: first }));
  const listed = await list({ kind: 'support', status: 'open', sort: 'waiting' });
  expect(listed.map(({ app_bundle_id, waits_since }) => [app_bundle_id?.split('.').at(-1), waits_since])).toEqual([
    ['notes', TUESDAY],
    ['third', WEDNESDAY],
    ['first', clock.at],
    ['second', null],
  ]);
  const [, after] = listed;
  const rest = await list({ sort: 'waiting', status: 'open', after: REPORTS.waiting.place(after as never) });
  expect(rest.map(({ id }) => id)).toEqual([first, second].map(String));
});

test.each<[string, Partial<ReportInput>, string[]]>([
  ['a kind lists the reports of that kind', { kind: 'error' }, ['error clock']],
  ['the kind of tickets lists tickets', { kind: 'support' }, ['support clock', 'support notes']],
  ['a status lists the tickets that have it, and no errors', { status: 'open' }, ['support notes']],
  ['a closed status lists closed tickets', { status: 'closed' }, ['support clock']],
  ['a status of errors lists nothing, because errors have none', { kind: 'error', status: 'open' }, []],
  ['an application lists what was reported of it', { app: CLOCK }, ['error clock', 'support clock']],
  ['a moment lists what was reported then or later', { since: TUESDAY }, ['support notes']],
  ['a later moment lists nothing', { since: WEDNESDAY }, []],
  ['a limit lists the newest so many', { limit: 1 }, ['support notes']],
])('%s', async (_, input, expected) => {
  expect(await named(input)).toEqual(expected);
});

test('a list of reports has the id that opens each of them', async () => {
  for (const { id, kind, reports } of await list()) {
    expect(await service.get('showReport')(id)).toMatchObject({ ok: true, value: { kind, count: reports } });
  }
});

test('the shop’s lists give what reading every ticket gives, in each order and by each filter', async () => {
  for (const [minute, app] of [CLOCK, NOTES, CLOCK].entries()) {
    clock.at = `2026-11-18T09:0${minute}:00.000Z`;
    const id = await complain(`${app}.${minute}`);
    if (minute === 1) await service.get('replyToTicket')(await PERMIT, { account_id: 7, id, text: 'It still does.' });
  }
  const inputs = [null, 'open', 'closed'].flatMap((status) =>
    [null, 'newest', 'waiting'].flatMap((sort) =>
      [null, 'support'].flatMap((kind) =>
        [1, 2, 10].flatMap((limit) =>
          [null, TUESDAY].map((since) => ({ status, sort, kind, limit, since }) as ReportInput),
        ),
      ),
    ),
  );
  const pages = async (input: ReportInput) => {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await list({ ...input, after });
      found.push(...page.map(({ kind, id }) => `${kind} ${id}`));
      const last = page.at(-1);
      if (last === undefined) return found;
      after = REPORTS[input.sort ?? 'newest'].place(last);
    }
  };
  const before = await Promise.all(inputs.map(pages));
  expect(await service.get('shopSales').complete(await PERMIT, () => true)).toBe(true);
  expect(await Promise.all(inputs.map(pages))).toEqual(before);
});
