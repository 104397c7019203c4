import { describe, expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { newGroup, notingReport, seenWith, withReport } from '../../../domain/support/error-group.ts';
import { type ErrorReport, newReport } from '../../../domain/support/error-report.ts';
import {
  answeredTicket,
  attachmentFault,
  isJoined,
  isOutdatedReportFile,
  joinedUntil,
  lastWritten,
  MAX_ATTACHMENT,
  newTicket,
  nextAnswer,
  nextReply,
  reportIdentity,
  reportObjectKey,
  type Ticket,
  ticketFile,
  ticketNumber,
  ticketView,
  typedTicketNumber,
  waitsSince,
} from '../../../domain/support/ticket.ts';

describe('the number of a ticket', () => {
  test('a ticket number is short, differs for consecutive ids and reveals no order', () => {
    const numbers = Array.from({ length: 20_000 }, (_, n) => ticketNumber({ id: 376_000_000_000_000 + n }));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.every((number) => /^[2-9B-DF-HJKMNP-TV-XZ]{3}-[2-9B-DF-HJKMNP-TV-XZ]{3}$/.test(number))).toBe(true);
    expect(numbers.slice(0, 3)).not.toEqual(numbers.slice(0, 3).sort());
  });

  test.each([
    ['k7m 4qx', 'K7M-4QX'],
    ['#K7M4QX', 'K7M-4QX'],
    ['234-567', '234-567'],
    ['234567', undefined],
    ['AEIOUY', undefined],
    ['K7M-4QXX', undefined],
    ['376000000000001', undefined],
  ])('a ticket number is read as people type it: %s', (typed, number) => {
    expect(typedTicketNumber(typed)).toBe(number);
  });
});

const REPORT: ErrorReport = {
  id: 1,
  fingerprint: `v1:${'0'.repeat(32)}`,
  received_at: '2026-11-21T08:00:00.000Z',
  app_bundle_id: 'com.example.timer',
  app_version: '1.0.0',
  os_version: null,
  device_model: null,
  error_type: 'crash',
  error_message: `  First line ${'x'.repeat(300)}\nsecond`,
  stack_trace: null,
  context: null,
};

describe('a group of errors', () => {
  const first = newGroup(REPORT, { exception: 'TypeError', frames: ['tick jane@example.com'] });

  test('a group of errors begins with its first report and shows only scrubbed text', () => {
    expect(first).toMatchObject({ first_seen: REPORT.received_at, last_seen: REPORT.received_at, versions: ['1.0.0'] });
    expect([first.title.length, first.title.startsWith('First line'), first.frames]).toEqual([
      200,
      true,
      ['tick [email]'],
    ]);
  });

  test('a group’s last report counts as last seen, even if it did not update the group', () => {
    const at = (received_at: string) => ({ ...REPORT, received_at });
    const reports = [at('2026-11-21T08:00:40.000Z'), at('2026-11-21T08:00:50.000Z'), at('2026-11-21T07:00:00.000Z')];
    expect(seenWith(first, reports)).toEqual({ ...first, last_seen: '2026-11-21T08:00:50.000Z' });
    expect(seenWith(first, [])).toEqual(first);
  });

  test.each([
    ['2026-11-21T08:00:59.999Z', '1.0.0', null],
    ['2026-11-21T08:01:00.000Z', '1.0.0', { last_seen: '2026-11-21T08:01:00.000Z', versions: ['1.0.0'] }],
    ['2026-11-21T08:00:01.000Z', '1.1.0', { last_seen: '2026-11-21T08:00:01.000Z', versions: ['1.0.0', '1.1.0'] }],
    ['2026-11-21T07:59:00.000Z', '0.9.0', { last_seen: REPORT.received_at, versions: ['1.0.0', '0.9.0'] }],
  ])('a report at %s of version %s writes the group as %j', (received_at, app_version, written) => {
    const next = withReport(first, { ...REPORT, received_at, app_version });
    if (written === null) expect(next).toBeNull();
    else expect(next).toEqual({ ...first, ...written });
  });

  test('a group of errors names only its last 20 versions', () => {
    let group = first;
    for (let n = 1; n <= 30; n++) group = withReport(group, { ...REPORT, app_version: `2.${n}` }) ?? group;
    expect([group.versions.length, group.versions.at(0), group.versions.at(-1)]).toEqual([20, '2.11', '2.30']);
  });
});

describe('an error report', () => {
  test('an error report is stored without scrubbed content', () => {
    const { id, fingerprint, received_at, ...details } = REPORT;
    const told = { ...details, error_message: 'for jane@example.com' };
    expect(newReport(told, { id, fingerprint, received_at })).toEqual({ ...REPORT, error_message: 'for [email]' });
  });

  test('an error report creates its group if it is the first, and updates it otherwise', () => {
    const signature = { exception: null, frames: [] };
    const noting = notingReport(REPORT, signature);
    const first = newGroup(REPORT, signature);
    expect(noting(undefined)).toEqual(first);
    expect(noting(first)).toBeNull();
    const later = { ...REPORT, app_version: '2.0.0' };
    expect(notingReport(later, signature)(first)).toEqual(withReport(first, later));
  });
});

const REQUEST = {
  kind: 'general' as const,
  summary: 'It stops',
  detail: 'Write to jane@example.com',
  app_bundle_id: null,
  app_version: null,
  macos_version: null,
  device_id: null,
};

describe('a ticket', () => {
  const opened = '2026-11-21T08:00:00.000Z';

  test('a ticket starts with its report as it was written', () => {
    const ticket = newTicket(REQUEST, { id: 3, account_id: 7 }, opened);
    expect(ticket).toEqual({
      ...REQUEST,
      id: 3,
      account_id: 7,
      status: 'open',
      created_at: opened,
    });
    const shown = { id: 3, kind: 'general', status: 'open', created_at: opened };
    expect(ticketView(ticket, 1, null)).toEqual({ ...shown, reports: 1, bundle: null });
    const received = { name: 'logs of jane@example.com.zip', type: 'application/zip', size: 5, sha256: 'a'.repeat(64) };
    const file = ticketFile(received, 2, opened);
    expect(file).toMatchObject({
      number: 2,
      object_key: reportObjectKey(opened, received.sha256),
      received_at: opened,
    });
    expect(file.name).not.toContain('jane');
    const { name, size, sha256 } = file;
    expect(ticketView(ticket, 2, file)).toEqual({ ...shown, reports: 2, bundle: { name, size, sha256 } });
  });

  test('a ticket is joined by repeated reports for 24 hours, to the millisecond', () => {
    expect(joinedUntil(opened)).toBe('2026-11-22T08:00:00.000Z');
    expect(isJoined(opened, '2026-11-22T07:59:59.999Z')).toBe(true);
    expect(isJoined(opened, '2026-11-22T08:00:00.000Z')).toBe(false);
  });

  test('two reports are duplicates only if their kind, app and text agree', () => {
    const report = {
      kind: 'general' as const,
      summary: 'a',
      detail: 'b c',
      app_bundle_id: null,
      app_version: null,
      macos_version: null,
      device_id: null,
    };
    const same = { ...report, detail: ' b\r\n\tc ', app_version: '2', macos_version: '15', device_id: 'x' };
    expect(reportIdentity(same)).toBe(reportIdentity(report));
    const others = [
      { kind: 'refund_request' as const },
      { summary: 'a b', detail: 'c' },
      { detail: 'B c' },
      { app_bundle_id: 'null' },
    ];
    const identities = [{}, ...others].map((more) => reportIdentity({ ...report, ...more }));
    expect(new Set(identities).size).toBe(identities.length);
  });

  test('the files of a ticket are stored under the day on which it was opened', () => {
    expect(reportObjectKey(opened, 'ab')).toBe('reports/2026-11-21/ab');
  });
});

test('the file of a report is outdated after 90 days', () => {
  const day = '2026-11-21T08:00:00.000Z';
  const file = reportObjectKey(day, 'ab');
  expect(isOutdatedReportFile(file, addDays(day, 90))).toBe(false);
  expect(isOutdatedReportFile(file, addDays(day, 91))).toBe(true);
  expect(isOutdatedReportFile('design/ab', addDays(day, 91))).toBe(false);
});

test('a reply to a ticket has at most 10,000 characters, and a ticket at most 50 replies', () => {
  const answer = (text: string, given = 0) =>
    nextAnswer({ id: 1 }, Array(given).fill({}), { text, by: 'kim' }, '2026-11-21T08:00:00.000Z');
  expect(answer('x'.repeat(10_000))).toMatchObject({ ok: true, value: { number: 1 } });
  expect(answer('x'.repeat(10_001))).toMatchObject({ code: 'answer_too_long' });
  expect(answer('Hello', 49)).toMatchObject({ ok: true, value: { number: 50, text: 'Hello', by: 'kim' } });
  expect(answer('Hello', 50)).toMatchObject({ code: 'too_many_answers' });
  expect(answer(' \n')).toMatchObject({ code: 'empty_answer' });
});

test('a buyer writes at most 20 replies to a ticket, so the shop can still reply', () => {
  const now = '2026-11-21T08:00:00.000Z';
  const given = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      number: n + 1,
      answered_at: now,
      by: null,
      text: 'x',
      from: 'buyer' as const,
    }));
  expect(nextReply({ id: 1 }, given(19), ' Hello ', now)).toMatchObject({
    ok: true,
    value: { number: 20, text: 'Hello', by: null, from: 'buyer' },
  });
  expect(nextReply({ id: 1 }, given(20), 'Hello', now)).toMatchObject({ code: 'too_many_answers' });
  expect(nextAnswer({ id: 1 }, given(20), { text: 'Hello', by: 'kim' }, now)).toMatchObject({ ok: true });
  expect(nextReply({ id: 1 }, [], ' \n', now)).toMatchObject({ code: 'empty_answer' });
});

test('a further message of a waiting buyer does not move the ticket back, and an answer or a closing ends the wait', () => {
  const hour = (n: number) => `2026-11-21T0${n}:00:00.000Z`;
  const ticket = newTicket(REQUEST, { id: 3, account_id: 7 }, hour(1));
  const written = (before: Ticket, from: 'buyer' | 'shop', answered_at: string) => {
    const answer = { number: (before.answer_count ?? 0) + 1, answered_at, by: null, text: 'x' };
    return answeredTicket(before, from === 'buyer' ? { ...answer, from } : answer);
  };
  const twice = written(written(ticket, 'buyer', hour(2)), 'buyer', hour(3));
  expect([waitsSince(ticket), waitsSince(twice), lastWritten(twice)]).toEqual([hour(1), hour(1), hour(3)]);
  const answered = written(twice, 'shop', hour(4));
  const again = written(written(answered, 'buyer', hour(5)), 'buyer', hour(6));
  expect([waitsSince(answered), waitsSince(again)]).toEqual([null, hour(5)]);
  expect(waitsSince(written({ ...again, status: 'closed' }, 'buyer', hour(7)))).toBe(hour(7));
  const { waiting_since: _, ...older } = again;
  expect(waitsSince(written(older, 'buyer', hour(7)))).toBe(hour(6));
  const byFormer = { ...written(again, 'shop', hour(7)), replied_at: hour(8) };
  expect(waitsSince(byFormer)).toBe(hour(8));
});

test('a file above 4 MB is too large, and must be chosen again if the form had another error', () => {
  expect([attachmentFault(MAX_ATTACHMENT, false), attachmentFault(MAX_ATTACHMENT, true)]).toEqual([undefined, 'again']);
  expect([attachmentFault(MAX_ATTACHMENT + 1, false), attachmentFault(MAX_ATTACHMENT + 1, true)]).toEqual([
    'tooLarge',
    'tooLarge',
  ]);
});
