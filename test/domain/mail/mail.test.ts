import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Order, Refund } from '../../../domain/billing/order.ts';
import { orderUnderRefund, refundedMoney } from '../../../domain/billing/refund.ts';
import { letterHtml, letterText } from '../../../domain/mail/letter.ts';
import { accountMessages, isGivenUp, nextAttempt, orderMessages } from '../../../domain/mail/message.ts';
import { type Facts, letterOf } from '../../../domain/mail/texts.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, anOrderItem, NOW } from '../../support/builders.ts';

const HEAD = {
  name: 'Shop',
  logo_url: 'https://shop.example.com/logo.png',
  logo_has_name: false,
  accent: '#0f6b5c',
};

test.each([
  ['a logo', false, 'alt=""', 'Shop</p>'],
  ['a logo that shows the name, which is its text instead,', true, 'alt="Shop"', '></p>'],
])('a message begins with %s and the name only once', (_, logo_has_name, ...parts) => {
  const letter = { subject: 'Hello', paragraphs: [], closing: 'Bye' };
  const [first] = /<p style="font-weight:600">.*<\/p>/.exec(letterHtml(letter, { ...HEAD, logo_has_name }, 'en')) ?? [];
  for (const part of parts) expect(first).toContain(part);
  expect(first?.split('Shop')).toHaveLength(2);
});

test('each line of a plain-text quotation has one quotation mark and one kind of line break', () => {
  const text = letterText({ subject: '', paragraphs: [], quote: 'Hello\r\n\r\nBye\rJo', closing: '' }, HEAD);
  expect(text).toContain('> Hello\n> \n> Bye\n> Jo\n');
});

test('an order number does not break in a title, and notes about a button follow below it', () => {
  const letter = { subject: 'Your order QD-1', paragraphs: ['Thanks'], after: ['Once'], closing: '' };
  const button = { text: 'Open', url: 'https://shop.example/' };
  expect(letterHtml(letter, HEAD, 'en')).toContain('Your order <span style="white-space:nowrap">QD-1</span></h1>');
  expect(letterText({ ...letter, button }, HEAD)).toContain('Open:\nhttps://shop.example/\n\nOnce');
});

describe('the messages that changes send', () => {
  const paid = anOrder({ items: [anOrderItem({ id: 1 }), anOrderItem({ id: 2 })] });
  const [pending, cancelled] = [{ ...paid, status: 'pending' } as const, { ...paid, status: 'cancelled' } as const];
  const under = (...refunds: Partial<Refund>[]): Order =>
    orderUnderRefund({
      ...paid,
      refunds: refunds.map((one) => ({ refunded_at: NOW, item_ids: null, keeps_access: false, reason: null, ...one })),
    });
  const part = { item_ids: [], keeps_access: true, amount_cents: 500 };
  const rest = { refunded_at: '2026-11-22T08:00:00.000Z', amount_cents: 3300 };
  const later = { refunded_at: '2026-11-23T08:00:00.000Z' };
  const told = { item_ids: [], keeps_access: true, amount_cents: 1900 };
  const both = under({ item_ids: [1] }, told);
  const dispute = { kind: 'dispute', amount_cents: 1900 } as const;
  test.each<[string, Order | undefined, Order, string[]]>([
    ['paid at once', undefined, paid, ['order']],
    ['not paid', undefined, pending, []],
    ['paid later', pending, paid, ['order']],
    ['paid after all', cancelled, paid, ['order']],
    ['cancelled', pending, cancelled, []],
    ['another receipt', paid, { ...paid, receipt_url: 'https://example.com/r' }, []],
    ['refunded in part', paid, under(part), ['refund 500']],
    ['refunded in full', paid, under({}), ['refund all']],
    ['the rest refunded', under(part), under(part, rest), ['refund 3300']],
    ['a refund that is told before the order', undefined, under(part), ['order', 'refund 500']],
    ['all refunded before the order is told', undefined, under({}), ['refund all']],
    ['an earlier refund told later', under({ ...part, ...rest }), under(part, rest), ['refund 500']],
    ['a refund by command that the provider tells too', under({}), under({}, rest), []],
    ['an item by command that the provider tells too', under({ item_ids: [1] }), under({ item_ids: [1] }, told), []],
    ['an item that the provider told before the command', under(told), under(told, { item_ids: [1] }), []],
    ['another part of the same amount', under(part), under(part, { ...part, ...later }), ['refund 500']],
    [
      'a second item after a refund told by both',
      both,
      under({ item_ids: [1] }, told, { ...told, ...later }),
      ['refund 1900'],
    ],
    ['paid again', { ...cancelled, was_paid: true }, { ...paid, was_paid: true }, []],
    ['access taken later', under({ keeps_access: true }), under({ keeps_access: true }, rest), ['refund 3300']],
    ['a refund that failed', under({}), paid, ['restored']],
    ['a refund of money alone that failed', under(part), paid, []],
    ['one of two refunds failed', under(part, rest), under({ ...part, ...rest }), ['restored']],
    ['disputed', paid, under(dispute), []],
    ['a dispute told before the order', undefined, under(dispute), []],
    ['a lost dispute', under(dispute), under(dispute), []],
    ['a won dispute', under(dispute), paid, ['restored']],
    ['a dispute that the shop pays', under(dispute), under({ amount_cents: 1900 }), ['refund 1900']],
    ['an item given back', under({ item_ids: [1] }), paid, ['restored']],
  ])('an order mail explains the money and the access: %s', (_, before, after, told) => {
    const messages = orderMessages(before, after);
    expect(messages.map(({ kind, refund }) => (refund ? `${kind} ${refund.amount_cents ?? 'all'}` : kind))).toEqual(
      told,
    );
  });

  test('a refund mail states the provider’s amount, the price of the items or the rest, and ignores free items', () => {
    const order = under(part, { item_ids: [1] }, rest, {});
    expect(order.refunds?.map((refund) => refundedMoney(order, refund).cents)).toEqual([500, 1900, 3300, 3800]);
    const free = { ...paid, total_cents: 1900, refunds: under({ item_ids: [1] }).refunds };
    expect(refundedMoney(free, free.refunds?.[0] as Refund)).toEqual({ cents: 1900, is: 'all' });
    const left = under(part, { refunded_at: rest.refunded_at });
    expect(left.refunds?.map((refund) => refundedMoney(left, refund).cents)).toEqual([500, 3300]);
  });

  const account = anAccount({ email: 'Old@example.com' });
  const about = { account_id: 1, subject_id: '', product_id: null };
  const moved = { kind: 'email_changed', ...about, email: 'old@example.com' };
  test.each([
    ['another address', { email: 'new@example.com' }, [moved]],
    ['another address and password', { email: 'new@example.com', password_hash: 'b' }, [moved]],
    ['the letters of the address', { email: 'OLD@example.com' }, []],
    [
      'a lock-out, and not of the password that it ended',
      { password_hash: null, ways_in_ended: { from: '2026-01-01T00:00:00Z', at: '2026-02-01T00:00:00Z' } },
      [{ kind: 'locked_out', ...about }],
    ],
    ['another password', { password_hash: 'b' }, [{ kind: 'password_changed', ...about }]],
    ['another name', { name: 'New' }, []],
    ['a suspension', { suspended_at: NOW }, []],
  ])('a security mail names the sign-in method that the change closes: %s', (_, change, told) => {
    expect(accountMessages(account, { ...account, ...change })).toEqual(told);
  });
});

describe('another attempt to send mail', () => {
  test('the delays between attempts double from a minute to an hour, are a day after five days, and end after thirty', () => {
    const rests: number[] = [];
    const message = { kind: 'order', created_at: NOW } as const;
    let now = NOW;
    for (let attempts = 1; !isGivenUp(message, now) && attempts < 999; attempts++) {
      const next = nextAttempt({ ...message, attempts }, now);
      rests.push((Date.parse(next) - Date.parse(now)) / 60_000);
      now = next;
    }
    expect(rests.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    const atMostHourly = rests.findLastIndex((rest) => rest <= 60) + 1;
    expect(rests.slice(0, atMostHourly).reduce((sum, rest) => sum + rest, 0)).toBe(5 * 24 * 60 + 3);
    expect(rests.slice(atMostHourly)).toEqual(Array(25).fill(24 * 60));
    expect(now).toBe('2026-12-21T08:03:00.000Z');
  });

  test('a sign-in link is retried at least every half an hour', () => {
    expect(isGivenUp({ kind: 'sign_in', created_at: NOW }, '2026-11-21T08:29:00.000Z')).toBe(false);
    expect(isGivenUp({ kind: 'sign_in', created_at: NOW }, '2026-11-21T08:30:00.000Z')).toBe(true);
  });
});

const url = 'https://account.example.com/library';
const TICKET = { number: 'K7M-4QX', subject: 'It stops', url };
const SALE = {
  number: 'O-5',
  items: ['Clock', 'Memo'],
  ended: [],
  total_cents: 1900,
  currency: 'USD',
  refunded: null,
  license_keys: [],
  url,
};
const [PART, ALL] = [{ cents: 500, is: 'part' } as const, { cents: 1900, is: 'all' } as const];
const PAID = {
  kind: 'order',
  ...SALE,
  ordered_at: NOW,
  time_zone: 'UTC',
  seller: 'Clock Co.',
  vat_cents: 173,
  receipt_url: `${url}?receipt`,
  download: null,
  signs_in: true,
} as const;
const EVERY: readonly Facts[] = [
  PAID,
  { kind: 'refund', ...SALE, refunded: ALL, items: [], ended: ['Clock'] },
  { kind: 'refund', ...SALE, refunded: PART, currency: 'KRW' },
  { kind: 'restored', ...SALE },
  { kind: 'key', name: 'Key', product: null, url },
  { kind: 'device', name: 'Laptop', product: 'Clock', url },
  { kind: 'passkey', url },
  { kind: 'passkey_removed', url },
  { kind: 'answer', ...TICKET, answer: 'Try it\nagain.' },
  { kind: 'ticket', ...TICKET, text: 'It stops.' },
  { kind: 'email_change', minutes: 60, url },
  { kind: 'email_changed', url, undo: false },
  { kind: 'password_changed', url },
  { kind: 'locked_out', url },
  { kind: 'sign_in', minutes: 60, url, passwords: true },
  { kind: 'console_sign_in', minutes: 60, url },
];

describe('the words of a message', () => {
  test('every kind of message has its own subject and its link in every language', () => {
    for (const locale of LANGUAGES) {
      const letters = EVERY.map((facts) => letterOf(facts, locale));
      expect(new Set(letters.map(({ subject }) => subject)).size).toBe(EVERY.length - 1);
      for (const letter of letters) {
        const text = letterText(letter, { name: 'Shop' });
        expect(text).toContain(url);
        expect(text, 'an empty paragraph').not.toMatch(/\n{3}/);
        expect(/[가-힣]/.test(text)).toBe(locale === 'ko');
      }
    }
  });

  test.each([
    ['en', 'key', /new key/, 'See your keys', /device/i],
    ['en', 'device', /new device/, 'See your devices', /key/i],
    ['en', 'passkey', /new passkey|passkey was added/, 'See your passkeys', /was removed/],
    ['en', 'passkey_removed', /passkey.* was removed/, 'See your passkeys', /was added/],
    ['ko', 'key', /새 키가 만들어졌습니다/, '키 확인하기', /기기/],
    ['ko', 'device', /새 기기가 등록되었습니다/, '기기 확인하기', /키/],
    ['ko', 'passkey', /패스키가 등록되었습니다/, '패스키 확인하기', /삭제되었습니다/],
    ['ko', 'passkey_removed', /패스키가 삭제되었습니다/, '패스키 확인하기', /등록되었습니다/],
  ] as const)('in %s all words of the kind %s tell of the same', (locale, kind, news, leads, others) => {
    const { subject, paragraphs, button, ...rest } = letterOf({ kind, name: 'Laptop', product: null, url }, locale);
    expect([subject, paragraphs[0]]).toEqual([expect.stringMatching(news), expect.stringMatching(news)]);
    expect(button).toEqual({ text: leads, url });
    expect(JSON.stringify([subject, paragraphs, rest])).not.toMatch(others);
  });

  test.each([
    ['en', 'UTC', '31 December 2026'],
    ['en', 'Asia/Seoul', '1 January 2027'],
    ['de', 'Europe/Berlin', '1. Januar 2027'],
  ] as const)('the day of an order is written in %s as the shop counts it in %s', (language, time_zone, expected) => {
    const { facts } = letterOf({ ...PAID, ordered_at: '2026-12-31T23:30:00.000Z', time_zone }, language);
    expect(facts?.[1]?.[1]).toBe(expected);
  });

  test('a new license key is written in full, and a known one by its beginning', () => {
    const license_keys = [
      { product: 'Clock', prefix: 'lic_0123456789', value: 'lic_0123456789abc' },
      { product: 'Memo', prefix: 'lic_9876543210', value: null },
    ];
    for (const locale of LANGUAGES) {
      const letter = letterOf({ ...PAID, license_keys }, locale);
      const text = letterText(letter, { name: 'Shop' });
      expect(text).toMatch(/[(（]Clock[)）]:\nlic_0123456789abc\n\n.*[(（]Memo[)）]:\nlic_9876543210… ?[(（]/);
      expect([...letter.paragraphs, ...(letter.after ?? [])]).toHaveLength(3);
    }
  });

  test.each([
    ['en', ALL, [], ['Clock'], ['full: $19.00', 'Its products can no longer'], ['No longer usable']],
    ['en', ALL, ['Clock'], [], ['full: $19.00', 'go on using'], ['Still usable']],
    ['en', PART, ['Clock'], [], ['a part of your order: $5.00', 'go on using'], ['Still usable']],
    [
      'en',
      PART,
      ['Memo'],
      ['Clock'],
      ['a part of', 'Some of its products can no'],
      ['Still usable', 'No longer usable'],
    ],
    [
      'en',
      { cents: 1400, is: 'rest' },
      [],
      ['Clock'],
      ['the rest of your order: $14.00', 'no longer'],
      ['No longer usable'],
    ],
    ['ko', ALL, [], ['시계'], ['전부(US$19.00)를', '더 이상 사용하실 수 없습니다'], ['사용 종료']],
    ['ko', PART, ['시계'], [], ['일부(US$5.00)를', '계속 사용하실 수 있습니다'], ['계속 사용 가능']],
    [
      'de',
      PART,
      ['Uhr'],
      [],
      ['einen Teil Ihrer Bestellung erstattet: 5,00\u00a0$', 'weiterhin nutzen'],
      ['Weiterhin nutzbar'],
    ],
  ] as const)('in %s a refund tells the money that went back and what stays: %j %j %j', (...row) => {
    const [locale, refunded, items, ended, texts, terms] = row;
    const { paragraphs, facts = [] } = letterOf({ kind: 'refund', ...SALE, refunded, items, ended }, locale);
    expect(paragraphs).toEqual(texts.map((text) => expect.stringContaining(text)));
    expect(facts.slice(1, -1).map(([term]) => term)).toEqual(terms);
  });

  test.each([
    [
      'en',
      ['Clock'],
      'Clock',
      'Clock: your order O-5',
      'Download Clock',
      ['Order', 'Date', 'Seller', 'Products', 'VAT included', 'Total'],
    ],
    ['en', ['Clock', 'Memo'], null, 'Clock and 1 more: your order O-5', 'See your products', null],
    ['en', ['C'.repeat(80)], null, `${'C'.repeat(49)}…: your order O-5`, 'See your products', null],
    [
      'ko',
      ['시계'],
      '시계',
      '시계 주문 O-5 안내',
      '시계 다운로드',
      ['주문 번호', '주문일', '판매자', '제품', '합계에 포함된 부가세', '합계'],
    ],
    ['ko', ['시계', '메모', '달력'], null, '시계 외 2개 주문 O-5 안내', '내 제품 보기', null],
  ] as const)('in %s an order names its product first, and when, by whom and with which tax it was sold: %j', (...row) => {
    const [locale, items, download, subject, button, terms] = row;
    const letter = letterOf({ ...PAID, items, download }, locale);
    expect([letter.subject, letter.button?.text]).toEqual([subject, button]);
    if (terms) expect(letter.facts?.map(([term]) => term)).toEqual(terms);
    expect(letterText(letter, { name: 'Shop' })).toContain(PAID.receipt_url);
    expect(letterHtml(letter, { ...HEAD, logo_url: null }, locale)).toContain(PAID.receipt_url);
  });

  test('amounts are written in their own currency', () => {
    const shown = EVERY.slice(0, 3).map((facts) => letterOf(facts, 'ko').facts?.at(-1)?.[1]);
    expect(shown).toEqual(['US$19.00', 'US$19.00', '₩1,900']);
  });

  test('a user’s text never becomes HTML, and a message loads nothing but the logo', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...LANGUAGES), (given, locale) => {
        const hostile = `${given}"'><img src=x onerror=alert(1)>&`;
        const facts: Facts = { kind: 'answer', ...TICKET, answer: hostile };
        const head = { ...HEAD, name: hostile };
        const html = letterHtml({ ...letterOf(facts, locale), subject: hostile }, head, locale);
        expect(html.match(/<img /g)).toHaveLength(1);
        expect(html.match(/<script|url\(|<link|&#39;>/gi) ?? []).toEqual(
          [...html.matchAll(/&#39;>/g)].map(([all]) => all),
        );
        expect(html).toContain('onerror=alert(1)&#62;&#38;');
      }),
    );
  });
});
