import { describe, expect, test } from 'vitest';
import {
  type Audience,
  addressesOf,
  EMPTY_BOX,
  type Notice,
  type NoticeBox,
  type NoticeMail,
} from '../../../domain/notices/notice.ts';
import { dueSummary, MAILS_AN_HOUR, mailsOf, newsOf, nextSummary, told } from '../../../domain/notices/telling.ts';
import { NOW } from '../../support/builders.ts';

const AUDIENCE: Audience = {
  settings: { sale: 'daily', dispute: 'never' },
  people: [
    { email: 'owner@example.com', role: 'everything' },
    { email: 'orders@example.com', role: 'orders' },
    { email: 'support@example.com', role: 'support' },
  ],
  time_zone: 'Europe/Berlin',
};

const sale = (n: number, currency = 'EUR'): Notice => ({
  kind: 'sale',
  page: `orders/${n}`,
  name: `O-${n}`,
  money: { cents: 100, currency },
});
const ticket = (n: number): Notice => ({ kind: 'ticket', page: `tickets/${n}`, name: `T-${n}` });

/** Tells notices one after the other; the box and the mails. */
const tell = (notices: readonly Notice[], now = NOW, from: NoticeBox = EMPTY_BOX) => {
  const mails: NoticeMail[] = [];
  let box = from;
  for (const notice of notices) {
    const next = told(box, notice, AUDIENCE, now);
    box = next.box;
    if (next.mail) mails.push(next.mail);
  }
  return { box, mails };
};

const many = (count: number, of: (n: number) => Notice) => Array.from({ length: count }, (_, n) => of(n + 1));

describe('notices to the shop', () => {
  test.each([
    ['ticket', ['owner@example.com', 'support@example.com']],
    ['sale', ['owner@example.com', 'orders@example.com']],
    ['backup', ['owner@example.com']],
    ['dispute', []],
  ] as const)('a notice about %s goes to the members whose role fits, or to nobody', (kind, to) => {
    expect(addressesOf(AUDIENCE, kind)).toEqual(to);
  });

  test('the configured addresses get every kind of notice instead of the members', () => {
    const audience = { ...AUDIENCE, settings: { to: ['shop@example.com', 'shop@example.com'] } };
    expect(addressesOf(audience, 'backup')).toEqual(['shop@example.com']);
  });

  test('500 tickets in an hour are ten mails, the last of which says so, and one summary of the rest', () => {
    const { box, mails } = tell(many(500, ticket));
    expect(mails.map(({ more }) => more ?? false)).toEqual([...Array(MAILS_AN_HOUR - 1).fill(false), true]);
    expect(dueSummary(box, NOW)).toBeUndefined();
    const due = dueSummary(box, new Date(Date.parse(NOW) + 3_600_000).toISOString());
    expect(due?.mail).toMatchObject({ how: 'hour', kinds: [{ kind: 'ticket', count: 490 }] });
    expect(due?.mail.kinds[0]?.first.map(({ name }) => name)).toEqual(
      many(10, (n) => ticket(n + 10)).map(({ name }) => name),
    );
    expect(due && dueSummary(due.box, '2030-01-01T00:00:00.000Z')).toBeUndefined();
  });

  test('a due summary is sent before the mails of the next hour and includes what came meanwhile', () => {
    const { box } = tell(many(11, ticket));
    const later = new Date(Date.parse(NOW) + 3_600_000).toISOString();
    const { box: next, mails } = tell([ticket(12)], later, box);
    expect(mails).toEqual([]);
    expect(dueSummary(next, later)?.mail.kinds[0]?.count).toBe(2);
  });

  test('the sales of a day are summed by currency, and a day without sales has no summary', () => {
    expect(dueSummary(EMPTY_BOX, '2030-01-01T00:00:00.000Z')).toBeUndefined();
    const { box, mails } = tell([sale(1), sale(2, 'USD'), sale(3), ...many(20, (n) => sale(n + 3))]);
    expect(mails).toEqual([]);
    const due = dueSummary(box, box.day?.due_at ?? '');
    expect(due?.mail).toMatchObject({
      how: 'day',
      kinds: [{ kind: 'sale', count: 23, sums: { EUR: 2200, USD: 100 } }],
    });
    expect(due?.mail.kinds[0]?.first).toHaveLength(10);
    expect(due?.box).toEqual(EMPTY_BOX);
  });

  test('notices from a clock years ahead are in a summary once the clock is right', () => {
    const { box } = tell([sale(1), ...many(11, ticket)], '2036-01-01T00:00:00.000Z');
    const hour = dueSummary(box, NOW);
    expect(hour?.mail).toMatchObject({ how: 'hour', kinds: [{ count: 1 }] });
    expect(dueSummary(hour?.box ?? EMPTY_BOX, NOW)?.mail).toMatchObject({ how: 'day', kinds: [{ count: 1 }] });
  });

  test('each address gets the notices of its role in one summary', () => {
    const kind = (of: 'sale' | 'ticket') => ({ kind: of, count: 1, sums: {}, first: [] });
    const mails = mailsOf({ how: 'day', kinds: [kind('sale'), kind('ticket')] }, AUDIENCE);
    expect(mails.map(([to, { kinds }]) => [to, kinds.map((one) => one.kind)])).toEqual([
      ['owner@example.com', ['sale', 'ticket']],
      ['orders@example.com', ['sale']],
      ['support@example.com', ['ticket']],
    ]);
  });

  test.each([
    ['before eight', 'Europe/Berlin', '2026-11-21T06:59:59.000Z', '2026-11-21T07:00:00.000Z'],
    ['at eight', 'Europe/Berlin', '2026-11-21T07:00:00.000Z', '2026-11-22T07:00:00.000Z'],
    ['before an hour is skipped', 'Europe/Berlin', '2026-03-28T12:00:00.000Z', '2026-03-29T06:00:00.000Z'],
    ['in the hour that comes again', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T07:00:00.000Z'],
    ['after the second one', 'Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-25T07:00:00.000Z'],
    ['with 45 minutes', 'Asia/Kathmandu', '2026-11-21T02:16:00.000Z', '2026-11-22T02:15:00.000Z'],
    ['over a missing day', 'Pacific/Apia', '2011-12-29T20:00:00.000Z', '2011-12-30T18:00:00.000Z'],
  ])('the next summary %s in %s is at eight in the morning', (_, zone, now, due) => {
    expect(nextSummary(now, zone)).toBe(due);
  });

  test('a problem is reported once, and again only after a full check no longer found it on the same machine', () => {
    const problem = { kind: 'disk', name: 'disk', text: 'full', on: 'a' } as const;
    const look = (told: object, found: object, on: string, isWhole = true) =>
      newsOf(told as NoticeBox['problems'], found as NoticeBox['problems'], { on, isWhole }).map(
        ({ mended }) => mended,
      );
    expect(look({}, { disk: problem }, 'a')).toEqual([false]);
    expect(look({ disk: problem }, { disk: problem }, 'a')).toEqual([]);
    expect(look({ disk: problem }, {}, 'b')).toEqual([]);
    expect(look({ disk: problem }, {}, 'a', false)).toEqual([]);
    expect(look({ disk: problem }, {}, 'a')).toEqual([true]);
  });
});
