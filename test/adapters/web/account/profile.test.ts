import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { PASSWORDS_PER_SESSION } from '../../../../domain/sign-in/attempts.ts';
import type { Service } from '../../../../runtimes/composition/service.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, EMAIL, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { EVERY_ENTRY } from '../../../support/audited.ts';
import { anEntitlement, aProduct } from '../../../support/builders.ts';
import { PageBrowser } from '../../../support/page-browser.ts';

describe('the page of the profile', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({ products: [aProduct()], entitlements: [anEntitlement()] });
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  test('the owner saves a name and a language, in which the pages answer from then on', async () => {
    const saved = await browser.submit('/profile', '/profile', { name: '  Kim  ', language: 'ko' });
    expect(saved.location).toBe('/profile?done=saved');
    expect(await service.get('accounts').get(1)).toMatchObject({ name: 'Kim', locale: 'ko' });
    const { body } = await browser.get('/profile?done=saved');
    expect(body).toContain('내 정보를 저장했습니다.');
    expect(body).toContain('value="Kim"');
  });

  test('a language that there is none of changes no language, and an empty name takes the name away', async () => {
    await browser.submit('/profile', '/profile', { name: '', language: 'xx' });
    expect(await service.get('accounts').get(1)).toMatchObject({ name: null, locale: 'en' });
  });

  test('the copy of one’s data is a file that has no hash and no secret', async () => {
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

  test('the profile leads to a page that says what goes and what stays, and opening it erases nothing', async () => {
    expect((await browser.get('/profile')).body).toContain('href="/profile/erase"');
    const { status, body } = await browser.get('/profile/erase');
    expect(status).toBe(200);
    expect(body).toContain('Orders and invoices, for five years');
    expect((await browser.get('/profile/erase?lang=ko')).body).toContain('5년간 보관');
    expect(await service.get('accounts').get(1)).toBeDefined();
  });

  test('the right password erases the account, ends its sessions and shows a last page', async () => {
    const other = new PageBrowser(server.url);
    await other.signIn(EMAIL, PASSWORD);
    const erased = await erase(browser, PASSWORD);
    expect(erased).toMatchObject({ status: 303, location: '/erased' });
    expect(browser.jar.has('account-session')).toBe(false);
    expect((await browser.get('/erased')).body).toContain('Your account was deleted');
    expect((await other.get('/library')).location).toBe('/sign-in?next=%2Flibrary');
    expect(await service.get('accounts').get(1)).toBeUndefined();
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
    EMAIL,
    'x'.repeat(300),
  ])('the password “%s” erases nothing, and the page says so beside its field', async (typed) => {
    const { status, body } = await erase(browser, typed);
    expect(status).toBe(422);
    expect(body).toContain('<p class="wrong" id="confirm-error">The password is wrong.</p>');
    expect(body).not.toContain('x'.repeat(300));
    expect(await service.get('accounts').get(1)).toBeDefined();
  });

  test('wrong passwords are bounded, and then the right one is refused too', async () => {
    for (let n = 0; n < PASSWORDS_PER_SESSION; n++) expect((await erase(browser, 'wrong')).status).toBe(422);
    expect((await erase(browser, PASSWORD)).status).toBe(429);
    expect(await service.get('accounts').get(1)).toBeDefined();
  });

  test('an account without a password is erased by its address, typed out', async () => {
    const link = await service.get('createSignInLink')(grantPermit(), 2);
    const guest = new PageBrowser(server.url);
    await guest.submit(`/sign-in/link?code=${link.ok ? link.value.code : ''}`, '/sign-in/link', {});
    expect((await guest.get('/profile/erase')).body).not.toContain('type="password"');
    const wrong = await erase(guest, EMAIL);
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain('This is not the email address of your account.');
    expect((await erase(guest, ' Buyer-2@Example.com ')).location).toBe('/erased');
    expect(await service.get('accounts').get(2)).toBeUndefined();
    expect(await service.get('accounts').get(1)).toBeDefined();
  });

  test('an erasure that broke off is completed by sending the form again', async () => {
    const account = await service.get('accounts').get(1);
    if (account) await service.get('accountErasures').begin(grantPermit(), account);
    expect((await erase(browser, '')).location).toBe('/erased');
    expect(await service.get('accounts').erasure(1)).toMatchObject({ finished_at: expect.any(String) });
    expect(await service.get('listSessions')(1)).toEqual([]);
  });
});
