import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { PasswordTurns } from '../../../../ports/outbound/accounts.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import {
  aBuyersService,
  EMAIL,
  openPages,
  PASSWORD,
  type PagesServer,
  servePages,
} from '../../../support/account-pages.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('the page of security', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let other: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({ accounts: [anAccount({ id: 2 })] });
    ({ server, browser } = await openPages(service));
    other = new PageBrowser(server.url, { 'user-agent': FIREFOX });
    await other.signIn(EMAIL, PASSWORD);
  });

  afterEach(() => server.close());

  const isIn = async (one: PageBrowser): Promise<boolean> => (await one.get('/library')).status === 200;

  test('the page lists each browser and marks the current one', async () => {
    const { body } = await browser.get('/security');
    expect(body).toContain('<h3>Firefox on macOS</h3>');
    expect(body.match(/This browser/g)).toHaveLength(1);
  });

  test('the current browser is listed first despite a later sign-in elsewhere, and each has its time', async () => {
    const { body } = await browser.get('/security');
    expect([...body.matchAll(/<h3>([^<]*)/g)].map(([, name]) => name?.trim()).indexOf('Firefox on macOS')).toBe(1);
    expect(body).toMatch(/<dd><time datetime="[^"]+" data-moment="en-GB">[^<]*\d\d:\d\d UTC<\/time>/);
  });

  test.each([
    ['en', 'From 127.0.0.1'],
    ['ko', '접속 IP 127.0.0.1'],
  ])('each browser shows the IP address from which it signed in (%s)', async (language, text) => {
    const { body } = await browser.get(`/security?lang=${language}`);
    expect(body.split(` · ${text}</p>`)).toHaveLength(3);
  });

  test('no IP address is stored or shown if the audit log stores none', async () => {
    const silent = await aBuyersService({}, { auditSettings: { days: 365, addresses: false } });
    const opened = await openPages(silent);
    expect((await opened.browser.get('/security')).body).not.toContain('127.0.0.1');
    expect((await silent.get('listSessions')(1)).map((session) => session.address)).toEqual([undefined]);
    await opened.server.close();
  });

  test('a browser can be signed out from another one', async () => {
    const ended = await browser.submit('/security', '/security/end', {});
    expect(ended.location).toBe('/security?done=ended');
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
  });

  test('every other browser can be signed out at once', async () => {
    expect((await browser.submit('/security', '/security/end-others', {})).location).toBe('/security?done=othersEnded');
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
  });

  test('another account’s session looks already ended', async () => {
    const opened = await service.get('openSession')(2, 'password', { browser: 'x', address: '192.0.2.2' });
    const session = opened.ok ? String(opened.value.session.id) : '';
    const ended = await browser.submit('/security', '/security/end', { session });
    expect(ended.location).toBe('/security?done=gone');
    expect(await service.get('listSessions')(2)).toHaveLength(1);
  });

  test('a password change needs the current one and signs the other browsers out', async () => {
    const changed = await browser.submit('/security', '/security/password', {
      current: PASSWORD,
      next: 'a new password',
    });
    expect(changed.location).toBe('/security?done=passwordSet');
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
    const again = new PageBrowser(server.url);
    expect((await again.signIn(EMAIL, PASSWORD)).status).toBe(422);
    expect((await again.signIn(EMAIL, 'a new password')).status).toBe(303);
  });

  test('a changed password forgets the other browsers and keeps the current one known', async () => {
    await browser.submit('/security', '/security/password', { current: PASSWORD, next: 'a new password' });
    expect(await service.get('knownBrowsers').of(1)).toHaveLength(1);
    await other.signIn(EMAIL, 'a new password');
    expect(await service.get('knownBrowsers').of(1)).toHaveLength(2);
    await browser.submit('/security', '/security/end-others', {});
    expect(await service.get('knownBrowsers').of(1)).toHaveLength(1);
  });

  test.each([
    [{ current: 'wrong', next: 'a new password' }, 'The current password is wrong.'],
    [{ current: '', next: 'a new password' }, 'The current password is wrong.'],
    [{ current: PASSWORD, next: 'short' }, 'The new password is too short.'],
    [{ current: PASSWORD, next: 'x'.repeat(300) }, 'The new password is too long.'],
  ])('the password stays unchanged with %j, and the page says why', async (fields, reason) => {
    const answer = await browser.submit('/security', '/security/password', fields);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain(reason);
    expect(answer.body).toMatch(/<input [^>]*aria-describedby="[^"]*-error" aria-invalid="true" required autofocus>/);
    expect(answer.body).toContain('<h3>Firefox on macOS</h3>');
    expect(answer.body).not.toContain('x'.repeat(300));
    expect(await isIn(other)).toBe(true);
  });
});

describe('a one-time link', () => {
  let service: Service;
  let server: PagesServer;
  let path: string;

  beforeEach(async () => {
    service = await aBuyersService({ accounts: [anAccount({ id: 2 })] });
    ({ server } = await openPages(service));
    const link = await service.get('createSignInLink')(grantPermit(), 2);
    path = `/sign-in/link?code=${link.ok ? link.value.code : ''}`;
  });

  afterEach(() => server.close());

  test('opening the link uses nothing, and its button signs in once and offers to set a password', async () => {
    const browser = new PageBrowser(server.url);
    for (let n = 0; n < 3; n++) expect((await browser.get(path)).status).toBe(200);
    const form = hiddenFields((await browser.get(path)).body, '/sign-in/link');
    const late = new PageBrowser(server.url);
    const lateForm = hiddenFields((await late.get(path)).body, '/sign-in/link');
    const used = await browser.post('/sign-in/link', form);
    expect(used).toMatchObject({ status: 303, location: '/security/password?first=1' });
    const { body } = await browser.get('/security/password?first=1');
    expect(body).toContain('Set a password');
    expect(body).not.toContain('name="current"');
    const short = await browser.submit('/security/password?first=1', '/security/password', { next: 'short' });
    expect(short.body).toContain('The new password is too short.');
    expect(short.body).not.toContain('Where you are signed in');
    const set = await browser.submit('/security/password?first=1', '/security/password', { next: 'my first password' });
    expect(set.location).toBe('/library?done=passwordSet');
    expect((await browser.get('/library?done=passwordSet')).body).toContain('Your password was saved.');
    expect((await new PageBrowser(server.url).signIn('buyer-2@example.com', 'my first password')).status).toBe(303);
    const again = new PageBrowser(server.url);
    expect((await again.get(path)).status).toBe(404);
    expect((await late.post('/sign-in/link', lateForm)).status).toBe(404);
    expect((await browser.post('/sign-in/link', form)).cookies).toEqual([]);
  });

  test('with passwords turned off, the link leads to the library, and no page offers to set one', async () => {
    const off = await aBuyersService(
      { accounts: [anAccount({ id: 2 })] },
      { signInMethods: { password: false, upstream: null } },
    );
    const pages = await servePages({ parts: off.parts });
    const link = await off.get('createSignInLink')(grantPermit(), 2);
    const browser = new PageBrowser(pages.url);
    const used = await browser.submit(`/sign-in/link?code=${link.ok ? link.value.code : ''}`, '/sign-in/link', {});
    const security = await browser.get('/security');
    const form = await browser.get('/security/password?first=1');
    const csrf = hiddenFields(security.body, '/sign-out')['csrf'] as string;
    const sent = await browser.post('/security/password', { csrf, next: 'my first password' });
    await pages.close();
    expect(used).toMatchObject({ status: 303, location: '/library' });
    expect(security.status).toBe(200);
    expect(security.body.toLowerCase()).not.toContain('password');
    expect([form.status, sent.status]).toEqual([404, 404]);
    expect(await off.get('accounts').get(2)).toMatchObject({ password_hash: null });
  });

  test('a saved password is followed by a link to the apps that stay connected', async () => {
    for (const [language, text] of [
      ['en', 'Apps stay connected.'],
      ['ko', '연결을 허용하신 앱은 계속 연결되어 있습니다.'],
    ] as const) {
      const { server: pages, browser } = await openPages(await aBuyersService());
      const { body } = await browser.get(`/security?done=passwordSet&lang=${language}`);
      const other = await browser.get('/security?done=othersEnded');
      await pages.close();
      expect(body).toContain(text);
      expect(body).toMatch(/<p class="notice done" role="status"[^>]*>[^\n]*<a href="\/apps">/);
      expect(other.body).not.toContain(text);
    }
  });

  test.each([
    '',
    'x',
    'A'.repeat(43),
    'x'.repeat(5000),
  ])('the code %j opens a page that says what to do', async (code) => {
    const { status, body } = await new PageBrowser(server.url).get(`/sign-in/link?code=${code}`);
    expect(status).toBe(404);
    expect(body).toContain('Sign in here, or get a new link');
  });
});

describe('a time of too many sign-ins', () => {
  let busy = false;
  const passwordTurns: PasswordTurns = {
    take: async (_lane, task) => (busy ? refuse('busy', { data: { retry_after: 5 } }) : ok(await task())),
  };

  afterEach(() => {
    busy = false;
  });

  test.each([
    ['en', 'Many people are signing in right now. Try again in a moment.'],
    ['ko', '지금 로그인하는 사람이 많습니다. 잠시 후 다시 시도해 주세요.'],
  ])('the pages explain the wait in the visitor’s language (%s) and say when to try again', async (language, text) => {
    const { server, browser } = await openPages(await aBuyersService({}, { passwordTurns }));
    busy = true;
    const visitor = new PageBrowser(server.url, { 'accept-language': language });
    const signIns = [await visitor.signIn(EMAIL, PASSWORD), await visitor.signIn('nobody@example.com', PASSWORD)];
    await browser.get(`/security?lang=${language}`);
    const change = await browser.submit('/security', '/security/password', { current: PASSWORD, next: 'long enough' });
    await server.close();
    for (const answer of [...signIns, change]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.body).toContain(text);
    }
    const [known, unknown] = signIns.map(({ body }) => body.replaceAll(/value="[^"]*"/g, ''));
    expect(known).toBe(unknown);
  });
});

describe('a wrong password', () => {
  test('the page keeps the address, never the password, and does not reveal which of the two is wrong', async () => {
    const { server } = await openPages(await aBuyersService());
    const answers = [];
    for (const email of [EMAIL, 'nobody@example.com']) {
      answers.push(await new PageBrowser(server.url).signIn(email, 'guess "<b>'));
    }
    await server.close();
    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
    const [known, unknown] = answers.map(({ body }) => body.replaceAll(/value="[^"]*"/g, ''));
    expect(known).toBe(unknown);
    expect(answers[0]?.body).toContain(`value="${EMAIL}"`);
    expect(answers[0]?.body).not.toContain('guess');
  });

  test('too many wrong passwords are refused for a time that the page names', async () => {
    const { server } = await openPages(await aBuyersService());
    const guesser = new PageBrowser(server.url);
    let answer = await guesser.signIn(EMAIL, 'guess 0');
    for (let n = 1; n < 12; n++) answer = await guesser.signIn(EMAIL, `guess ${n}`);
    const owner = await guesser.signIn(EMAIL, PASSWORD);
    await server.close();
    expect(answer.status).toBe(429);
    expect(answer.body).toMatch(/Try again in (1 minute|\d+ minutes)\./);
    expect(owner.status).toBe(429);
  });
});
