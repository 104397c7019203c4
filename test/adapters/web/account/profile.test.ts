import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, EMAIL, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { EVERY_ENTRY } from '../../../support/audited.ts';
import { aBill, anEntitlement, anOrder, aProduct, aSubscription } from '../../../support/builders.ts';
import { put } from '../../../support/contents.ts';
import { aMailer, MAILING, sendAll } from '../../../support/mail.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

describe('the page of the profile', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({ products: [aProduct()], entitlements: [anEntitlement()] });
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  test('the owner saves a name and a language, which the pages use from then on', async () => {
    const saved = await browser.submit('/profile', '/profile', { name: '  Kim  ', language: 'ko' });
    expect(saved.location).toBe('/profile?done=saved');
    expect(await service.get('accounts').get(1)).toMatchObject({ name: 'Kim', locale: 'ko' });
    const { body } = await browser.get('/profile?done=saved');
    expect(body).toContain('내 정보를 저장했습니다.');
    expect(body).toContain('value="Kim"');
  });

  test('an unknown language changes nothing, and an empty name removes the name', async () => {
    await browser.submit('/profile', '/profile', { name: '', language: 'xx' });
    expect(await service.get('accounts').get(1)).toMatchObject({ name: null, locale: 'en' });
  });

  test('the owner’s billing details are on every receipt and in the data export until they are emptied', async () => {
    const billing = { name: 'Provider’s word', address: null, tax_number: 'EU1' };
    await put(service, { orders: [anOrder({ billing, invoice: { number: 'R-7', url: null } })] });
    expect((await browser.get('/orders/1')).body).toContain('VAT or tax number EU1');
    const given = { billed: 'Ada <Ltd>', lines: '1 Main St\r\n\r\nLondon', tax_number: ' GB1 ' };
    const saved = await browser.submit('/profile', '/profile/billing', given);
    expect(saved.location).toBe('/profile?done=billingSaved');
    const { body } = await browser.get('/orders/1');
    expect(body).toContain(
      '<strong>Ada &lt;Ltd&gt;</strong><br>1 Main St<br>London<br>VAT or tax number GB1<br>buyer-1@example.com',
    );
    expect(body).toContain('<dt>Invoice number</dt><dd>R-7</dd>');
    expect(body).not.toContain('EU1');
    const copy = JSON.parse((await browser.submit('/profile', '/profile/data', {})).body);
    expect(copy).toMatchObject({ account: { billing: { tax_number: 'GB1' } }, orders: [{ billing }], invoices: [] });
    await browser.submit('/profile', '/profile/billing', { billed: ' ', lines: '', tax_number: '' });
    expect(await service.get('accounts').get(1)).not.toHaveProperty('billing');
  });

  test('the data export is a file without hashes and secrets', async () => {
    const { status, headers, body } = await browser.submit('/profile', '/profile/data', {});
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="account-1.json"');
    const data = JSON.parse(body);
    expect(data).toMatchObject({
      account: { id: 1, email: 'buyer-1@example.com', has_password: true },
      entitlements: [{ account_id: 1 }],
      sessions: [{ method: 'password' }],
    });
    for (const part of ['orders', 'devices', 'keys', 'passkeys', 'subscriptions', 'tickets', 'usage'])
      expect(data[part], part).toEqual([]);
    expect(body).not.toMatch(/hash/);
  });
});

describe('the page that erases an account', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({
      accounts: [anAccount({ id: 2 })],
      products: [aProduct()],
      entitlements: [anEntitlement()],
    });
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  const erase = (one: PageBrowser, confirm: string) => one.submit('/profile/erase', '/profile/erase', { confirm });

  test('the profile leads to a page that says what is erased and what stays, and opening it erases nothing', async () => {
    expect((await browser.get('/profile')).body).toContain('href="/profile/erase"');
    const { status, body } = await browser.get('/profile/erase');
    expect(status).toBe(200);
    expect(body).toContain('Orders and invoices, for five years');
    expect((await browser.get('/profile/erase?lang=ko')).body).toContain('5년간 보관');
    expect(await service.get('accounts').get(1)).toBeDefined();
  });

  test('the page names each subscription that is still charged and links to its cancellation', async () => {
    expect((await browser.get('/profile/erase')).body).not.toContain('still charged');
    const next_charge_at = '2099-01-01T00:00:00.000Z';
    const billing = aBill({ next_charge_at, renewal_amount_cents: 900, renewal_currency: 'KRW' });
    const over = { ends_at: '2026-01-01T00:00:00.000Z', billing };
    await put(service, {
      subscriptions: [
        aSubscription({ id: 1, product_ids: [1], ends_at: null, billing }),
        aSubscription({ id: 2, product_ids: [1], ...over }),
      ],
    });
    const { body } = await browser.get('/profile/erase');
    expect(body.match(/<li>[^<]*Next charge: 1 January 2099, ₩900\)/g)).toHaveLength(1);
    expect(body).toContain('href="/support#write"');
  });

  test('the typed address erases the account, ends its sessions and shows a last page', async () => {
    const other = new PageBrowser(server.url);
    await other.signIn(EMAIL, PASSWORD);
    const erased = await erase(browser, ' Buyer-1@Example.com ');
    expect(erased).toMatchObject({ status: 303, location: '/erased' });
    expect(browser.jar.has('account-session')).toBe(false);
    expect((await browser.get('/erased')).body).toContain('Your account was deleted');
    expect((await other.get('/library')).location).toBe('/sign-in?next=%2Flibrary');
    expect(await service.get('accounts').get(1)).toBeUndefined();
    expect(await service.get('completeErasure')(grantPermit())).toEqual([1]);
    expect(await service.get('accounts').erasure(1)).toMatchObject({ finished_at: expect.any(String) });
    expect((await new PageBrowser(server.url).signIn(EMAIL, PASSWORD)).status).toBe(422);
    const [entry] = await Array.fromAsync(service.get('auditLog').list(EVERY_ENTRY));
    expect(entry).toMatchObject({
      action: 'account.erased',
      account_id: 1,
      by: { kind: 'page', account_id: 1, through: '/profile/erase' },
    });
  });

  test.each([
    '',
    'wrong',
    PASSWORD,
    'x'.repeat(300),
  ])('the text “%s” erases nothing, and the page says why beside its field', async (typed) => {
    const { status, body } = await erase(browser, typed);
    expect(status).toBe(422);
    expect(body).toContain(
      '<p class="wrong" id="confirm-error">This is not the email address of your account. Check it and try again.</p>',
    );
    expect(body).not.toContain('x'.repeat(300));
    expect(await service.get('accounts').get(1)).toBeDefined();
  });

  test('an interrupted erasure is completed by sending the form again', async () => {
    const account = await service.get('accounts').get(1);
    const now = service.get('clock').now();
    if (account) await service.get('accountErasures').begin(grantPermit(), account, now);
    expect((await erase(browser, '')).location).toBe('/erased');
    expect(await service.get('listSessions')(1)).toEqual([]);
    expect(await service.get('completeErasure')(grantPermit())).toEqual([1]);
    expect(await service.get('accounts').erasure(1)).toMatchObject({ finished_at: expect.any(String) });
  });
});

describe('the change of the email address', () => {
  const NEW = 'new@example.com';
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let mailer: ReturnType<typeof aMailer>;

  beforeEach(async () => {
    mailer = aMailer();
    service = await aBuyersService({ accounts: [anAccount({ id: 2 })] }, { mailer }, MAILING);
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  const ask = (email: string) => browser.submit('/profile', '/profile/email', { email });
  const change = (path: string, one = browser) => one.submit(path, '/profile/email/change', {});
  const emailOf = async (id: number) => (await service.get('accounts').get(id))?.email;

  /** Requests a link, and returns the path in the mail. */
  const aLink = async (email = NEW): Promise<string> => {
    await ask(email);
    expect(await sendAll(service)).toEqual(['sent']);
    const { pathname, search } = new URL(/https\S+code=\S+/.exec(mailer.sent.at(-1)?.text ?? '')?.[0] ?? '');
    return pathname + search;
  };

  test('a link to the new address changes it, notifies the old one and signs the other browsers out', async () => {
    const other = new PageBrowser(server.url);
    await other.signIn(EMAIL, PASSWORD);
    const path = await aLink(' New@Example.com ');
    expect(mailer.sent.map(({ to }) => to)).toEqual([NEW]);
    expect((await browser.get(path)).body).toContain(NEW);
    expect(await emailOf(1)).toBe(EMAIL);
    expect((await change(path)).location).toBe('/profile?done=emailChanged');
    expect(await emailOf(1)).toBe(NEW);
    expect(await sendAll(service)).toEqual(['sent']);
    expect(mailer.sent.at(-1)).toMatchObject({ to: EMAIL, subject: 'The email address of your account was changed' });
    expect((await browser.get('/profile?done=emailChanged')).body).toContain('Your email address was changed.');
    expect((await other.get('/library')).location).toBe('/sign-in?next=%2Flibrary');
    expect((await new PageBrowser(server.url).signIn(NEW, PASSWORD)).status).toBe(303);
    expect((await new PageBrowser(server.url).signIn(EMAIL, PASSWORD)).status).toBe(422);
    const entries = await Array.fromAsync(service.get('auditLog').list(EVERY_ENTRY));
    const entry = entries.find(({ action }) => action === 'account.changed');
    expect(entry).toMatchObject({
      action: 'account.changed',
      changes: [{ field: 'email' }],
      by: { kind: 'page', account_id: 1, through: '/profile/email/change' },
    });
    expect(JSON.stringify(entry)).not.toContain('@');
  });

  test('the former address can undo the change once without a sign-in, by a button that no mail scanner presses', async () => {
    await change(await aLink());
    await sendAll(service);
    expect(mailer.sent.at(-1)).toMatchObject({ to: EMAIL });
    const { pathname, search } = new URL(/https\S+code=\S+/.exec(mailer.sent.at(-1)?.text ?? '')?.[0] ?? '');
    const owner = new PageBrowser(server.url);
    for (let n = 0; n < 3; n++) expect((await owner.get(pathname + search)).body).toContain(EMAIL);
    expect(await emailOf(1)).toBe(NEW);
    const sent = hiddenFields((await owner.get(pathname + search)).body, pathname);
    expect((await owner.post(pathname, sent)).body).toContain('Your email address is back');
    expect(await emailOf(1)).toBe(EMAIL);
    expect((await browser.get('/library')).location).toContain('/sign-in');
    expect([(await owner.post(pathname, sent)).status, (await owner.get(pathname + search)).status]).toEqual([
      404, 404,
    ]);
    expect((await owner.get('/undo-email?code=x&lang=ko')).body).toContain('이미 사용했거나');
  });

  test('the response is the same for an address that another account has, and nobody gets a link', async () => {
    const [free, taken] = [await ask(NEW), await ask('Buyer-2@example.com')];
    expect([free.status, free.location]).toEqual([303, '/profile?done=emailAsked']);
    expect([taken.status, taken.location, taken.body]).toEqual([free.status, free.location, free.body]);
    expect(await sendAll(service)).toEqual(['sent', 'dropped']);
    expect(mailer.sent.map(({ to }) => to)).toEqual([NEW]);
  });

  test('an address that another account took meanwhile stays with that account', async () => {
    const path = await aLink();
    await service.get('accounts').save(grantPermit(), anAccount({ id: 2, email: NEW }));
    expect((await change(path)).status).toBe(404);
    expect([await emailOf(1), await emailOf(2)]).toEqual([EMAIL, NEW]);
  });

  test('a link works once, for its own account only, and signs nobody in', async () => {
    const path = await aLink();
    const stranger = new PageBrowser(server.url);
    expect((await stranger.get(path)).location).toContain('/sign-in?next=');
    expect((await stranger.get(path.replace('/profile/email', '/sign-in/link'))).status).toBe(404);
    const link = await service.get('createSignInLink')(grantPermit(), 2);
    await stranger.submit(`/sign-in/link?code=${link.ok ? link.value.code : ''}`, '/sign-in/link', {});
    expect((await stranger.get(path)).status).toBe(404);
    await change(path);
    expect((await browser.get(path)).status).toBe(404);
  });

  test('a changed password invalidates the link, and a changed address invalidates the sign-in links', async () => {
    const path = await aLink();
    await browser.submit('/security', '/security/password', { current: PASSWORD, next: 'a new password' });
    expect((await change(path)).status).toBe(404);
    expect(await emailOf(1)).toBe(EMAIL);
    const old = await service.get('createSignInLink')(grantPermit(), 1);
    await ask(NEW);
    await sendAll(service);
    const { pathname, search } = new URL(/https\S+code=\S+/.exec(mailer.sent.at(-1)?.text ?? '')?.[0] ?? '');
    expect((await change(pathname + search)).location).toBe('/profile?done=emailChanged');
    const used = await service.get('useSignInLink')({
      code: old.ok ? old.value.code : '',
      browser: 'Safari',
      address: '192.0.2.1',
    });
    expect(used).toMatchObject({ ok: false, code: 'link_not_usable' });
  });

  test.each([
    'nothing',
    '',
  ])('the address “%s” sends nothing, and the page says why beside the field', async (email) => {
    const { status, body } = await ask(email);
    expect(status).toBe(422);
    expect(body).toContain('id="email-error">Enter an email address');
    expect(body).toContain(`value="${email}"`);
    expect(await sendAll(service)).toEqual([]);
  });

  test('an account can request five changes a day, so it can’t mail a crowd of strangers', async () => {
    for (let n = 0; n < 5; n++) expect((await ask(`stranger-${n}@example.com`)).status).toBe(303);
    const { status, headers, body } = await ask('stranger-5@example.com');
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(body).toContain('changed too often today');
    expect(await sendAll(service)).toEqual(Array(5).fill('sent'));
  });

  test('an erasure removes a waiting link and the new address', async () => {
    await aLink();
    await ask('third@example.com');
    await browser.submit('/profile/erase', '/profile/erase', { confirm: EMAIL });
    expect(await service.get('completeErasure')(grantPermit())).toEqual([1]);
    const { entries } = await service.get('tableScan').dump(0);
    expect(JSON.stringify(entries)).not.toMatch(/new@example|third@example|SIGNINLINK/);
  });

  test('a service without mail has no form for a new address', async () => {
    const silent = await openPages(await aBuyersService());
    expect((await silent.browser.get('/profile')).body).not.toContain('/profile/email');
    await silent.server.close();
  });
});
