import { beforeEach, describe, expect, test } from 'vitest';
import { bothSteps } from '../../../application/shared/steps.ts';
import type { KeyInput } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { newMessage } from '../../../domain/mail/message.ts';
import type { SaleEvent } from '../../../domain/sales/sale-event.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { ticketNumber } from '../../../domain/support/ticket.ts';
import { MailRefused } from '../../../ports/outbound/mail.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import {
  aMailer,
  BY_WEBHOOK,
  changesOfEachKind,
  MAILING,
  payOrder,
  refundTheOrder,
  seat,
  sendAll,
} from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';
import { aReport } from '../../support/report-builders.ts';
import { aPrice, buyer, EMAIL, order, PRODUCTS, refund } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';

const KEY: KeyInput = { account_id: 1, name: 'Key' };

const later = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

describe('the messages of a service', () => {
  let service: Service;
  const clock = aClock();
  let mailer: ReturnType<typeof aMailer>;

  beforeEach(async () => {
    clock.at = NOW;
    mailer = aMailer();
    service = memoryService({ clock, mailer }, memoryEngines(), MAILING);
    await put(service, { accounts: [anAccount()] });
  });

  const newKey = async () => done(await service.get('createApiKey')(BY_WEBHOOK, KEY));
  const paid = (id = 5) => payOrder(service, anOrder({ id }));

  test('each change that concerns a buyer sends one message, and nothing else does', async () => {
    await changesOfEachKind(service);
    expect(await sendAll(service)).toEqual(Array(5).fill('sent'));
    await refundTheOrder(service);
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.map(({ subject }) => subject)).toEqual([
      '로그인 링크',
      'Product 1: your order O-5',
      'A new key for your account',
      'A new device uses your license',
      expect.stringMatching(/^Answer to your ticket \[\w{3}-\w{3}\]: /),
      'Refund for your order O-5',
    ]);
    expect(new Set(mailer.sent.map(({ to }) => to))).toEqual(new Set(['buyer-1@example.com']));
    expect(mailer.sent[4]?.html).toContain('Wind it &#60;up&#62;.');
    expect(await service.get('messages').waiting(9)).toEqual([]);
  });

  test('a ticket written by a person is confirmed once, with its number, subject and text', async () => {
    const write = async (confirms?: 'ko') => {
      const input = {
        account_id: 1,
        body: aReport({ summary: 'It <stops>', detail: 'At noon.' }),
        files: { bundle: null },
      };
      return done(
        await passed(
          service.get('receiveSupportReport')({ ...input, ...(confirms && { confirms }) }),
          Promise.resolve(BY_WEBHOOK),
        ),
      );
    };
    const { ticket } = await write('ko');
    // The same words join the ticket, and an application's report requests no mail.
    await write('ko');
    await write();
    expect(await sendAll(service)).toEqual(['sent']);
    const number = ticketNumber(ticket);
    expect(mailer.sent[0]).toMatchObject({
      subject: `문의가 접수되었습니다 [${number}]: It <stops>`,
      text: expect.stringContaining('> At noon.'),
      html: expect.stringContaining(`/support/${ticket.id}`),
    });
  });

  test('a message has the shop’s name, logo, reply address and language', async () => {
    const storefront = {
      product_url: null,
      product_detail_url: null,
      name: '시계 가게',
      logo_url: 'https://shop.example.com/logo.png',
      reply_to: 'help@example.com',
      locale: 'ko',
    } as const;
    await put(service, { storefront });
    await paid();
    await sendAll(service);
    expect(mailer.sent).toMatchObject([
      { from_name: '시계 가게', reply_to: 'help@example.com', subject: '#1 주문 O-5 안내' },
    ]);
    expect(mailer.sent[0]?.html).toContain('<img src="https://shop.example.com/logo.png"');
  });

  test('the link that changes an address is mailed to the new address, unless an account has it', async () => {
    await put(service, { accounts: [anAccount({ id: 2 })] });
    const ask = { kind: 'email_change', account_id: 1, subject_id: '', product_id: null, locale: 'en' } as const;
    for (const email of ['new@example.com', 'buyer-2@example.com'])
      await service.get('messages').add(BY_WEBHOOK, { ...ask, email });
    expect((await sendAll(service)).toSorted()).toEqual(['dropped', 'sent']);
    expect(mailer.sent.map(({ to }) => to)).toEqual(['new@example.com']);
    const [code = ''] = /[\w-]{43}/.exec(mailer.sent[0]?.text ?? '') ?? [];
    expect(mailer.sent[0]?.text).toContain(service.get('links').emailLink(code));
  });

  test('a sale from a provider is mailed once, in the buyer’s language, and so is its refund', async () => {
    await put(service, { products: PRODUCTS });
    const event = order({ buyer: { ...buyer, locale: 'ko-KR' } });
    for (const told of [event, event]) done(await service.get('recordSale')(BY_WEBHOOK, told));
    expect(await sendAll(service)).toEqual(['sent']);
    done(await service.get('recordSale')(BY_WEBHOOK, refund()));
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.map(({ to, subject }) => [to, subject.replace(/ \S+\d\S*/, '')])).toEqual([
      [EMAIL, 'Product 1 외 1개 주문 안내'],
      [EMAIL, '주문 환불 안내'],
    ]);
  });

  test('each refund mail states its own amount and what remains usable, and a dispute is mailed only when it is won', async () => {
    await put(service, { products: PRODUCTS });
    const told = async (...events: SaleEvent[]) => {
      mailer.sent = [];
      for (const event of events) done(await service.get('recordSale')(BY_WEBHOOK, event));
      await sendAll(service);
      return mailer.sent.map(({ text }) => text.split(/\n\n(?=See )/)[0]?.replaceAll(/\d{8}-\w+/g, 'N'));
    };
    const dispute = { reference: 'dispute', cause: 'chargeback', amount_cents: 3000 } as const;
    const again = 'Order: N\nStill usable: Product 1, Product 2\nTotal: $30.00';
    await told(order());
    expect(await told(refund({ reference: 'part', amount_cents: 500 }))).toEqual([
      `We have refunded a part of your order: $5.00.\n\nYou can go on using its products.\n\n${again}`,
    ]);
    expect(await told(refund(dispute))).toEqual([]);
    expect(await told(refund({ ...dispute, amount_cents: 0 }, 6))).toEqual([
      `Your order is paid again, and you can use its products as before.\n\n${again}`,
    ]);
    const rest = { reference: 'rest', amount_cents: 2500 };
    expect(await told(refund(rest, 7))).toEqual([
      'We have refunded the rest of your order: $25.00.\n\nIts products can no longer be used.\n\nOrder: N\nNo longer usable: Product 1, Product 2\nTotal: $30.00',
    ]);
    expect(await told(refund({ ...rest, amount_cents: 0 }, 8))).toEqual([expect.stringContaining(again)]);
    const timer = { reference: 'timer', amount_cents: 2000, things: [{ price: 'p-timer' }] };
    expect(await told(refund(timer, 9))).toEqual([
      'We have refunded a part of your order: $20.00.\n\nSome of its products can no longer be used.\n\nOrder: N\nStill usable: Product 2\nNo longer usable: Product 1\nTotal: $30.00',
    ]);
  });

  test('the refund of an upgrade names the edition that is valid again', async () => {
    const editions = ['basic', 'pro'].map((name) => ({ name, features: [name] }));
    const prices = [
      aPrice('p-basic', { edition: 'basic' }),
      aPrice('p-upgrade', { edition: 'pro', upgrades_from: ['basic'] }),
    ];
    await put(service, { products: PRODUCTS.map((one) => (one.id === 1 ? { ...one, editions, prices } : one)) });
    const bought = (reference: string, price: string) =>
      order({ reference, lines: [{ price, quantity: 1, total_cents: 3000, discount_cents: 0 }] });
    const back = refund({ order_reference: 'pay-2' });
    for (const event of [bought('pay-1', 'p-basic'), bought('pay-2', 'p-upgrade'), back]) {
      done(await service.get('recordSale')(BY_WEBHOOK, event));
    }
    await sendAll(service);
    expect(mailer.sent.at(-1)?.text).toContain('Still usable: Product 1 (basic)');
  });

  test('an order mail contains the license key in text and HTML, and a refund revokes the key', async () => {
    await put(service, { products: PRODUCTS.map((one) => ({ ...one, license_keys: one.id === 1 })) });
    done(await service.get('recordSale')(BY_WEBHOOK, order()));
    expect(JSON.stringify(await service.get('messages').waiting(9))).not.toContain('lic_');
    mailer.fault = new Error('connect ECONNREFUSED');
    expect(await sendAll(service)).toEqual(['rests']);
    mailer.fault = undefined;
    clock.at = later(1);
    expect(await sendAll(service)).toEqual(['sent']);
    const [key = ''] = /lic_\w+/.exec(mailer.sent[0]?.text ?? '') ?? [];
    expect(mailer.sent[0]?.html).toContain(`>${key}<`);
    const caller = done(await service.get('authenticate')(key));
    expect(caller).toMatchObject({ product_id: 1 });
    const check = async () => {
      const question = { product_id: 1, bundle_id: null, device_id: 'laptop', app_version: null };
      const asked = { account_id: caller.account_id, scope: caller, key: null, body: question, locale: 'en' } as const;
      return done(await bothSteps(grantPermit(), service.get('checkLicense')(asked))).code;
    };
    expect(await check()).toBe('valid');
    done(await service.get('recordSale')(BY_WEBHOOK, order({ reference: 'pay-2' })));
    await sendAll(service);
    expect(mailer.sent.at(-1)?.text).toContain(`${key.slice(0, 14)}… (`);
    expect(mailer.sent.at(-1)?.text).not.toContain(key);
    for (const n of [1, 2]) {
      const facts = { reference: `refund-${n}`, order_reference: `pay-${n}` };
      done(await service.get('recordSale')(BY_WEBHOOK, refund(facts)));
    }
    expect(await check()).toBe('entitlement_revoked');
  });

  test('the language of the account takes precedence over that of the shop', async () => {
    await put(service, { accounts: [anAccount({ locale: 'ko' })] });
    await paid();
    await sendAll(service);
    expect(mailer.sent).toMatchObject([{ subject: '#1 주문 O-5 안내' }]);
  });

  test('the code of a sign-in link is made when the message is sent, and works once', async () => {
    const ask = service.get('askForLink');
    await ask?.(BY_WEBHOOK, { email: 'buyer-1@example.com', address: '192.0.2.7', locale: 'en', known: null });
    expect(JSON.stringify(await service.get('messages').waiting(9))).not.toContain('code');
    await sendAll(service);
    const code = /code=([\w-]+)/.exec(mailer.sent[0]?.text ?? '')?.[1] ?? '';
    const use = () => service.get('useSignInLink')({ code, browser: 'Firefox', address: '192.0.2.7' });
    expect(done(await use()).session.account_id).toBe(1);
    expect(await use()).toMatchObject({ ok: false, code: 'link_not_usable' });
  });

  test('an address without an account and a suspended account get no link', async () => {
    await put(service, { accounts: [anAccount({ id: 2, suspended_at: NOW })] });
    for (const email of ['nobody@example.com', 'buyer-2@example.com']) {
      await service.get('askForLink')?.(BY_WEBHOOK, { email, address: '192.0.2.7', locale: 'en', known: null });
    }
    expect(await sendAll(service)).toEqual(['dropped', 'dropped']);
    expect(mailer.sent).toEqual([]);
  });

  test('only a member’s address gets a link to the console, which opens no buyer pages', async () => {
    await put(service, { accounts: [anAccount({ id: 2 })] });
    const member = { account_id: 1, role: 'support', name: 'Ada', added_at: NOW } as const;
    const members = service.get('members');
    await members.change(grantPermit(), await members.read(), { before: undefined, after: member });
    for (const email of ['nobody@example.com', 'buyer-2@example.com', 'buyer-1@example.com']) {
      const ask = { email, address: '192.0.2.7', locale: 'en', known: null, place: 'console' } as const;
      expect(await service.get('askForLink')?.(BY_WEBHOOK, { ...ask, next: '/orders' })).toEqual({
        ok: true,
        value: null,
      });
    }
    expect(await sendAll(service)).toEqual(['dropped', 'dropped', 'sent']);
    expect(mailer.sent).toMatchObject([{ to: 'buyer-1@example.com', subject: 'Your link to the console' }]);
    const url = new URL(/https?:\S+sign-in\/link\S+/.exec(mailer.sent[0]?.text ?? '')?.[0] ?? '');
    expect(url.origin).toBe(new URL(service.get('links').setupLink('')).origin);
    expect(url.searchParams.get('next')).toBe('/orders');
    const at = { code: url.searchParams.get('code') ?? '', browser: 'Firefox', address: '192.0.2.7' };
    expect(await service.get('useSignInLink')(at)).toMatchObject({ ok: false, code: 'link_not_usable' });
    expect(done(await service.get('useSignInLink')({ ...at, place: 'console' })).session.place).toBe('console');
  });

  /** Requests a link to the address of account 1, or another, from an IP address. */
  const askAt = async (address: string, known: string | null = null, email = 'buyer-1@example.com') => {
    const asked = await service.get('askForLink')?.(BY_WEBHOOK, { email, address, locale: 'en', known });
    return asked?.ok || asked?.code;
  };
  const codeOf = (n: number): string => /code=([\w-]+)/.exec(mailer.sent.at(n)?.text ?? '')?.[1] ?? '';
  const use = (code: string) => service.get('useSignInLink')({ code, browser: 'Firefox', address: '192.0.2.9' });

  test('a stranger who requests ten links to an address is refused alone, and the mailbox gets one mail', async () => {
    for (const email of ['nobody@example.com', 'buyer-1@example.com']) {
      const asked: unknown[] = [];
      for (let n = 0; n < 10; n++) asked.push(await askAt('198.51.100.66', null, email));
      expect(asked).toEqual([...Array(5).fill(true), ...Array(5).fill('too_many_attempts')]);
      expect(await askAt('192.0.2.7', null, email)).toBe(true);
    }
    await sendAll(service);
    expect(mailer.sent).toHaveLength(1);
    expect(await use(codeOf(0))).toMatchObject({ ok: true });
  });

  test('while a link is unused, another mail comes after a growing pause, and all mailed links work', async () => {
    const sent: number[] = [];
    for (let minute = 0; minute < 60; minute++) {
      clock.at = later(minute);
      await askAt(`192.0.2.${minute}`);
      if ((await sendAll(service)).includes('sent')) sent.push(minute);
    }
    expect(sent).toEqual([0, 2, 12, 42]);
    expect([await use(codeOf(0)), await use(codeOf(3))]).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test('a link that was mailed by a clock years ahead is void, and the next one is sent at once', async () => {
    clock.at = '2036-01-01T00:00:00.000Z';
    await askAt('192.0.2.1');
    expect(await sendAll(service)).toEqual(['sent']);
    clock.at = NOW;
    await askAt('192.0.2.2');
    expect(await sendAll(service)).toEqual(['sent']);
    expect([await use(codeOf(0)), await use(codeOf(1))]).toMatchObject([{ code: 'link_not_usable' }, { ok: true }]);
  });

  test('after a link was used or its account changed, the next one is sent at once', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      await askAt(address);
      expect(await sendAll(service)).toEqual(['sent']);
      expect(await use(codeOf(-1))).toMatchObject({ ok: true });
    }
    await askAt('192.0.2.3');
    await sendAll(service);
    await service.get('accounts').save(grantPermit(), anAccount({ password_hash: 'changed' }));
    await askAt('192.0.2.4');
    expect(await sendAll(service)).toContain('sent');
  });

  test('a message that could not be sent makes its link again, though the first one waits', async () => {
    await askAt('192.0.2.7');
    mailer.fault = new Error('connect ECONNREFUSED');
    expect(await sendAll(service)).toEqual(['rests']);
    mailer.fault = undefined;
    clock.at = later(1);
    expect(await sendAll(service)).toEqual(['sent']);
  });

  test('a known browser gets its link whatever strangers requested, but only for its own account', async () => {
    await put(service, { accounts: [anAccount({ id: 2 })] });
    await askAt('198.51.100.66');
    await sendAll(service);
    const opened = done(await use(codeOf(0)));
    const known = await service.get('rememberBrowser')(opened.session);
    for (let n = 0; n < 10; n++) await askAt('198.51.100.66');
    await sendAll(service);
    expect(await askAt('198.51.100.66')).toBe('too_many_attempts');
    expect(await askAt('198.51.100.66', known)).toBe(true);
    expect(await sendAll(service)).toEqual(['sent']);
    for (let n = 0; n < 10; n++) await askAt('198.51.100.66', null, 'buyer-2@example.com');
    expect(await askAt('198.51.100.66', known, 'buyer-2@example.com')).toBe('too_many_attempts');
  });

  test('a sign-in link is sent before all other mail, and one queued by the former version in its turn', async () => {
    await put(service, { accounts: [anAccount({ id: 2 })] });
    await paid();
    const { first: _, ...old } = newMessage(
      4,
      { kind: 'sign_in', account_id: null, subject_id: '', product_id: null, email: 'buyer-2@example.com' },
      later(-1),
    );
    await service.get('table').put({ pk: 'MESSAGES', sk: `${old.due_at}#${'4'.padStart(16, '0')}`, data: old });
    await service.get('askForLink')?.(BY_WEBHOOK, {
      email: 'buyer-1@example.com',
      address: '192.0.2.7',
      locale: 'ko',
      known: null,
    });
    expect((await service.get('messages').waiting(9)).map(({ kind, first }) => [kind, first])).toEqual([
      ['sign_in', true],
      ['sign_in', undefined],
      ['order', undefined],
    ]);
    clock.at = later(1);
    expect(await sendAll(service)).toEqual(['sent', 'sent', 'sent']);
    expect(mailer.sent.map(({ subject }) => subject)).toEqual([
      '로그인 링크',
      'Your sign-in link',
      '#1: your order O-5',
    ]);
  });

  test('a message that can’t be sent waits, others continue, and it is sent once the server is back', async () => {
    await paid();
    mailer.fault = new Error('connect ECONNREFUSED');
    expect(await sendAll(service)).toEqual(['rests']);
    mailer.fault = undefined;
    await paid(6);
    expect(await sendAll(service)).toEqual(['sent']);
    clock.at = later(1);
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.map(({ subject }) => subject)).toEqual(['#1: your order O-6', '#1: your order O-5']);
  });

  test('a message that fails for thirty days or whose recipient is refused is stored as failed', async () => {
    await paid(5);
    mailer.fault = new Error('connect ECONNREFUSED');
    const ends: string[] = [];
    for (let minute = 0; ends.at(-1) !== 'failed' && minute < 40 * 24 * 60; minute += 30) {
      clock.at = later(minute);
      ends.push(...(await sendAll(service)));
    }
    expect(ends.length).toBeGreaterThan(10);
    expect(clock.at > addDays(NOW, 28) && clock.at <= addDays(NOW, 30)).toBe(true);
    await paid(6);
    mailer.fault = new MailRefused('550 No such mailbox.');
    expect(await sendAll(service)).toEqual(['failed']);
    expect(await service.get('messages').failed(9)).toMatchObject([
      { subject_id: '6', fault: '550 No such mailbox.', attempts: 1 },
      { subject_id: '5', fault: 'connect ECONNREFUSED' },
    ]);
  });

  test('a message of a worker that died while sending is sent by the next one, under the same id', async () => {
    await paid();
    await service.get('messages').take(grantPermit(), NOW, later(2));
    expect(await sendAll(service)).toEqual([]);
    clock.at = later(2);
    expect(await sendAll(service)).toEqual(['sent']);
  });

  test('many new devices cause at most twenty messages a day, and hide no new key or password', async () => {
    for (let n = 0; n < 22; n++) await seat(service, `d-${n}`);
    expect((await sendAll(service)).filter((end) => end === 'sent')).toHaveLength(20);
    await newKey();
    done(await service.get('resetPassword')(BY_WEBHOOK, { account_id: 1, password: 'a new long password' }));
    expect(await sendAll(service)).toEqual(['sent', 'sent']);
    expect(mailer.sent.slice(-2).map(({ subject }) => subject)).toEqual([
      'A new key for your account',
      'The password of your account was changed',
    ]);
  });

  test('a device is mailed by its name on another product, or else by the beginning of its id', async () => {
    const device_id = '4f5a2c1e-77aa-4d0e-9a51-0c6f2f0e9b11';
    await seat(service, device_id);
    await sendAll(service);
    done(await service.get('renameDevice')(BY_WEBHOOK, { account_id: 1, device_id, name: 'Studio Mac' }));
    clock.at = later(61);
    await seat(service, device_id, 2);
    await sendAll(service);
    const told = mailer.sent.map(({ text }) => /Device: (.*)/.exec(text)?.[1]);
    expect(told).toEqual(['4f5a2c1e…', 'Studio Mac']);
  });

  test('a returning device is mailed once an hour, and a failed message is tried again', async () => {
    const comesBack = async () => {
      await service.get('releaseSlots').ofProduct(BY_WEBHOOK, 1, 1, 'laptop');
      await seat(service, 'laptop');
      return sendAll(service);
    };
    await seat(service, 'laptop');
    mailer.fault = new Error('connect ECONNREFUSED');
    expect(await sendAll(service)).toEqual(['rests']);
    mailer.fault = undefined;
    expect(await comesBack()).toEqual(['dropped']);
    await seat(service, 'phone');
    clock.at = later(1);
    expect(await sendAll(service)).toEqual(['sent', 'sent']);
    clock.at = later(61);
    expect(await comesBack()).toEqual(['sent']);
  });

  test('a key that was revoked meanwhile causes no mail', async () => {
    const { key } = await newKey();
    done(await service.get('revokeApiKey')(BY_WEBHOOK, { key_id: key.id }));
    expect(await sendAll(service)).toEqual(['dropped']);
  });

  test('the waiting and failed messages of an erased account are removed with it', async () => {
    await paid(5);
    mailer.fault = new MailRefused('550 No such mailbox.');
    await sendAll(service);
    await paid(6);
    done(await service.get('eraseAccount')(grantPermit(), { account_id: 1 }));
    expect(await service.get('messages').waiting(9)).toEqual([]);
    expect(await service.get('messages').failed(9)).toEqual([]);
  });

  test('a service without mail writes no message', async () => {
    const silent = memoryService({}, memoryEngines());
    await put(silent, { accounts: [anAccount()] });
    done(await silent.get('createApiKey')(BY_WEBHOOK, KEY));
    expect(await silent.get('messages').waiting(9)).toEqual([]);
    expect(silent.get('askForLink')).toBeNull();
  });
});
