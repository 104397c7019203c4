import { beforeEach, describe, expect, test } from 'vitest';
import { bothSteps } from '../../../application/shared/steps.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { MailRefused } from '../../../ports/outbound/mail.ts';
import type { Service } from '../../../runtimes/composition/service.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anApiKey, anOrder, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { aMailer, BY_WEBHOOK, changesOfEachKind, MAILING, refundTheOrder, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { buyer, EMAIL, order, PRODUCTS, refund } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';

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

  const paid = (id = 5) => service.get('billingRecords').saveOrder(BY_WEBHOOK, anOrder({ id }));

  test('each change that tells a buyer something sends one message, and nothing else does', async () => {
    await changesOfEachKind(service);
    expect(await sendAll(service)).toEqual(Array(5).fill('sent'));
    await refundTheOrder(service);
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.map(({ subject }) => subject)).toEqual([
      'Your order O-5',
      'A new key for your account',
      'A new device uses your license',
      'Answer to your support ticket 7',
      '로그인 링크',
      'Refund for your order O-5',
    ]);
    expect(new Set(mailer.sent.map(({ to }) => to))).toEqual(new Set(['buyer-1@example.com']));
    expect(mailer.sent[3]?.html).toContain('Wind it &#60;up&#62;.');
    expect(await service.get('messages').waiting(9)).toEqual([]);
  });

  test('a message has the name, the logo, the reply address and the language of the shop', async () => {
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
      { from_name: '시계 가게', reply_to: 'help@example.com', subject: '주문 O-5 안내' },
    ]);
    expect(mailer.sent[0]?.html).toContain('<img src="https://shop.example.com/logo.png"');
  });

  test('a sale that a provider told of is mailed once, in the language that its buyer paid in, and so is its refund', async () => {
    await put(service, { products: PRODUCTS });
    const event = order({ buyer: { ...buyer, locale: 'ko-KR' } });
    for (const told of [event, event]) done(await service.get('recordSale')(BY_WEBHOOK, told));
    expect(await sendAll(service)).toEqual(['sent']);
    done(await service.get('recordSale')(BY_WEBHOOK, refund()));
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.map(({ to, subject }) => [to, subject.replace(/ \S+\d\S*/, '')])).toEqual([
      [EMAIL, '주문 안내'],
      [EMAIL, '주문 환불 안내'],
    ]);
  });

  test('an order brings the license key of its product in text and HTML, and it ends with the refund', async () => {
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
      const asked = { accountId: caller.account_id, scope: caller, device: null, question, locale: 'en' } as const;
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

  test('the language of the account goes before that of the shop', async () => {
    await put(service, { accounts: [anAccount({ locale: 'ko' })] });
    await paid();
    await sendAll(service);
    expect(mailer.sent).toMatchObject([{ subject: '주문 O-5 안내' }]);
  });

  test('the code of a sign-in link is made when the message is sent, and signs in once', async () => {
    const ask = service.get('askForLink');
    await ask?.(BY_WEBHOOK, { email: 'buyer-1@example.com', address: '192.0.2.7', locale: 'en' });
    expect(JSON.stringify(await service.get('messages').waiting(9))).not.toContain('code');
    await sendAll(service);
    const code = /code=([\w-]+)/.exec(mailer.sent[0]?.text ?? '')?.[1] ?? '';
    const use = () => service.get('useSignInLink')({ code, browser: 'Firefox', address: '192.0.2.7' });
    expect(done(await use()).session.account_id).toBe(1);
    expect(await use()).toMatchObject({ ok: false, code: 'link_not_usable' });
  });

  test('an address that no account has, and a suspended account, get no link', async () => {
    await put(service, { accounts: [anAccount({ id: 2, suspended_at: NOW })] });
    for (const email of ['nobody@example.com', 'buyer-2@example.com']) {
      await service.get('askForLink')?.(BY_WEBHOOK, { email, address: '192.0.2.7', locale: 'en' });
    }
    expect(await sendAll(service)).toEqual(['dropped', 'dropped']);
    expect(mailer.sent).toEqual([]);
  });

  test('the fourth link for one address within a quarter of an hour is refused, known or not', async () => {
    for (const email of ['nobody@example.com', 'buyer-1@example.com']) {
      const ask = () => service.get('askForLink')?.(BY_WEBHOOK, { email, address: '192.0.2.7', locale: 'en' });
      const codes = [await ask(), await ask(), await ask(), await ask()].map((asked) => asked?.ok || asked?.code);
      expect(codes).toEqual([true, true, true, 'too_many_attempts']);
    }
  });

  test('a message that can’t be sent rests, others go on, and it is sent once the server is back', async () => {
    await paid();
    mailer.fault = new Error('connect ECONNREFUSED');
    expect(await sendAll(service)).toEqual(['rests']);
    mailer.fault = undefined;
    await paid(6);
    expect(await sendAll(service)).toEqual(['sent']);
    clock.at = later(1);
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.map(({ subject }) => subject)).toEqual(['Your order O-6', 'Your order O-5']);
  });

  test('a message that is tried for three days, or whose recipient is refused, is kept as failed', async () => {
    await paid(5);
    mailer.fault = new Error('connect ECONNREFUSED');
    const ends: string[] = [];
    for (let minute = 0; ends.at(-1) !== 'failed' && minute < 5 * 24 * 60; minute += 10) {
      clock.at = later(minute);
      ends.push(...(await sendAll(service)));
    }
    expect(ends.length).toBeGreaterThan(10);
    expect(clock.at > addDays(NOW, 2) && clock.at <= addDays(NOW, 3)).toBe(true);
    await paid(6);
    mailer.fault = new MailRefused('550 No such mailbox.');
    expect(await sendAll(service)).toEqual(['failed']);
    expect(await service.get('messages').failed(9)).toMatchObject([
      { subject_id: '5', fault: 'connect ECONNREFUSED' },
      { subject_id: '6', fault: '550 No such mailbox.', attempts: 1 },
    ]);
  });

  test('a message of a worker that died while it sent is sent by the next one, under the same id', async () => {
    await paid();
    await service.get('messages').take(grantPermit(), NOW, later(2));
    expect(await sendAll(service)).toEqual([]);
    clock.at = later(2);
    expect(await sendAll(service)).toEqual(['sent']);
  });

  test('a fleet of devices gets its account twenty messages in a day', async () => {
    for (let n = 0; n < 22; n++) {
      const { slots } = await service.get('devices').find(1, 1, null);
      const device = { device_id: `d-${n}`, name: null, activated_at: NOW, last_seen_at: NOW, revoked_at: null };
      await service.get('devices').activate(BY_WEBHOOK, 1, 1, device, slots);
    }
    expect((await sendAll(service)).filter((end) => end === 'sent')).toHaveLength(20);
  });

  test('a key that was revoked meanwhile tells nobody anything', async () => {
    const keys = service.get('apiKeys');
    await keys.change(BY_WEBHOOK, await keys.scope(1, null), { add: anApiKey({ id: 6 }) }, NOW);
    await keys.change(BY_WEBHOOK, await keys.scope(1, null), { revoke: [anApiKey({ id: 6 })] }, NOW);
    expect(await sendAll(service)).toEqual(['dropped']);
  });

  test('the waiting and the failed messages of an erased account go with it', async () => {
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
    await silent.get('billingRecords').saveOrder(BY_WEBHOOK, anOrder());
    expect(await silent.get('messages').waiting(9)).toEqual([]);
    expect(silent.get('askForLink')).toBeNull();
  });
});
