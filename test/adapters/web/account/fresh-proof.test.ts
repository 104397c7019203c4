import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { type Instant, millis, toInstant } from '../../../../domain/shared/instant.ts';
import { PASSWORDS_PER_SESSION } from '../../../../domain/sign-in/attempts.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, EMAIL, PASSWORD, type PagesServer, servePages } from '../../../support/account-pages.ts';
import { aClock } from '../../../support/fakes.ts';
import { aMailer, MAILING, sendAll } from '../../../support/mail.ts';
import { done } from '../../../support/outcomes.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

const later = (now: Instant, minutes: number): Instant => toInstant(millis(now) + minutes * 60_000);

describe('a step that needs a recent proof of identity', () => {
  const mailer = aMailer();
  const clock = aClock();
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    clock.at = '2026-11-22T08:00:00.000Z';
    service = await aBuyersService({ accounts: [anAccount({ id: 2 })] }, { mailer, clock }, MAILING);
    const consents = { find: async () => null, approve: async () => null, deny: async () => null };
    server = await servePages({ parts: service.parts, host: 'localhost', beside: () => ({ consents }) });
    browser = new PageBrowser(server.url);
    await browser.signIn(EMAIL, PASSWORD);
  });
  afterEach(() => server.close());

  /** The form's fields with its token. */
  const csrfOf = async (one: PageBrowser) => hiddenFields((await one.get('/security')).body, '/sign-out')['csrf'] ?? '';
  const KEY = { name: 'Server', ability: 'products.read', product: '', expires: '' };
  const once = async () => hiddenFields((await browser.get('/keys')).body, '/keys')['once'] ?? '';

  const FORMS: [path: string, fields: Record<string, string>, end: object][] = [
    ['/security/passkeys', { name: 'Laptop' }, { status: 200 }],
    ['/security/passkeys/add', { name: 'Laptop', response: '{}' }, { location: '/security?done=passkeyFailed' }],
    ['/profile/email', { email: 'new@example.com' }, { location: '/profile?done=emailAsked' }],
    ['/profile/data', {}, { status: 200 }],
    ['/profile/erase', { confirm: EMAIL }, { location: '/erased' }],
    ['/keys', KEY, { status: 201 }],
    ['/library/license-key', { product: '1' }, { status: 404 }],
    ['/device/decide', { user_code: 'BCDF-GHJK', decision: 'approve' }, { status: 422 }],
    ['/interaction/abc', { decision: 'allow' }, { status: 404 }],
  ];

  test.each(
    FORMS,
  )('the form %s of a session of ten minutes asks for the password, then continues with the typed text', async (path, fields, end) => {
    const copied = new PageBrowser(server.url);
    copied.jar.set('account-session', browser.jar.get('account-session') ?? '');
    const sent = { csrf: await csrfOf(browser), ...fields, ...(path === '/keys' && { once: await once() }) };
    clock.at = later(clock.at, 10);
    const asked = await browser.post(path, sent);
    expect(asked.status).toBe(403);
    const kept = hiddenFields(asked.body, path);
    expect(kept).toEqual(sent);
    expect((await browser.post(path, { ...kept, proof: 'wrong' })).status).toBe(422);
    expect(await browser.post(path, { ...kept, proof: PASSWORD })).toMatchObject(end);
    expect(await service.get('findSession')(copied.jar.get('account-session'))).toBeUndefined();
  });

  test.each(FORMS)('the form %s needs no proof in the ten minutes after a sign-in', async (path, fields, end) => {
    const sent = { csrf: await csrfOf(browser), ...fields, ...(path === '/keys' && { once: await once() }) };
    clock.at = toInstant(millis(later(clock.at, 10)) - 1);
    expect(await browser.post(path, sent)).toMatchObject(end);
  });

  test('an owner can deny a device and an application without a proof, and returns to the approval', async () => {
    const csrf = await csrfOf(browser);
    clock.at = later(clock.at, 10);
    const decide = (path: string, decision: string) => browser.post(path, { csrf, user_code: 'BCDF-GHJK', decision });
    expect((await decide('/device/decide', 'deny')).status).toBe(422);
    expect((await decide('/interaction/abc', 'deny')).status).toBe(404);
    for (const [path, decision, back] of [
      ['/device/decide', 'approve', '/device?user_code=BCDF-GHJK'],
      ['/interaction/abc', 'allow', '/interaction/abc'],
    ] as const) {
      const next = encodeURIComponent(back);
      expect((await decide(path, decision)).body).toContain(`href="/sign-in?next=${next}&amp;again=1"`);
    }
  });

  test.each([
    '/library/license-key',
    '/library/license-key/show',
  ])('the form %s leads back to the page of its product after a sign-in', async (path) => {
    const csrf = await csrfOf(browser);
    clock.at = later(clock.at, 10);
    const again = 'href="/sign-in?next=%2Flibrary%2F1&amp;again=1"';
    expect((await browser.post(path, { csrf, product: '1' })).body).toContain(again);
    expect((await browser.post(path, { csrf, product: '1', proof: 'wrong' })).body).toContain(again);
  });

  test('a proof is valid for ten minutes for all forms, and the next form has its new token', async () => {
    clock.at = later(clock.at, 60);
    const fields = { csrf: await csrfOf(browser), name: 'Laptop', proof: PASSWORD };
    const step = await browser.post('/security/passkeys', fields);
    clock.at = later(clock.at, 9);
    const answer = { ...hiddenFields(step.body, '/security/passkeys/add'), response: '{}' };
    expect((await browser.post('/security/passkeys/add', answer)).location).toBe('/security?done=passkeyFailed');
    expect((await browser.submit('/profile', '/profile/data', {})).status).toBe(200);
    clock.at = later(clock.at, 1);
    expect((await browser.submit('/profile', '/profile/data', {})).status).toBe(403);
  });

  test('wrong passwords are limited, after which the right one is refused too', async () => {
    clock.at = later(clock.at, 10);
    const csrf = await csrfOf(browser);
    const prove = (proof: string) => browser.post('/profile/data', { csrf, proof });
    for (let n = 0; n < PASSWORDS_PER_SESSION; n++) expect((await prove('wrong')).status).toBe(422);
    expect((await prove(PASSWORD)).status).toBe(429);
  });

  test('an owner without a password signs in again by mail and returns to the page', async () => {
    const guest = new PageBrowser(server.url);
    const link = done(await service.get('createSignInLink')(grantPermit(), 2));
    await guest.submit(`/sign-in/link?code=${link.code}`, '/sign-in/link', {});
    clock.at = later(clock.at, 10);
    const asked = await guest.submit('/profile', '/profile/email', { email: 'thief@example.com' });
    expect(asked.status).toBe(403);
    expect(asked.body).not.toContain('type="password"');
    expect(asked.body).toContain('href="/sign-in?next=%2Fprofile&amp;again=1"');
    expect(await sendAll(service)).toEqual([]);
    const signIn = await guest.get('/sign-in?next=%2Fprofile&again=1');
    expect(signIn.body).toContain('value="buyer-2@example.com"');
    expect(signIn.body).toContain('formaction="/sign-in/mail"');
    await guest.submit('/sign-in/mail?next=%2Fprofile', '/sign-in/mail', { email: 'buyer-2@example.com' });
    await sendAll(service);
    const { pathname, search } = new URL(/https\S+code=\S+/.exec(mailer.sent.at(-1)?.text ?? '')?.[0] ?? '');
    expect((await guest.submit(pathname + search, '/sign-in/link', {})).location).toBe('/profile');
    const { location } = await guest.submit('/profile', '/profile/email', { email: 'new@example.com' });
    expect(location).toBe('/profile?done=emailAsked');
  });

  test('a session older than ten minutes sets no first password without a proof', async () => {
    const guest = new PageBrowser(server.url);
    const link = done(await service.get('createSignInLink')(grantPermit(), 2));
    await guest.submit(`/sign-in/link?code=${link.code}`, '/sign-in/link', {});
    clock.at = later(clock.at, 10);
    expect((await guest.submit('/security', '/security/password', { next: 'a thief’s password' })).status).toBe(403);
    expect(await service.get('accounts').get(2)).toMatchObject({ password_hash: null });
  });

  test('a changed password ends copied cookies and the selected passkeys, and new ones are selected', async () => {
    const passkey = (id: string, created_at: Instant) =>
      service.get('passkeys').add(
        grantPermit(),
        {
          id,
          account_id: 1,
          name: id,
          public_key: 'AA',
          counter: 0,
          transports: [],
          created_at,
          last_used_at: null,
        },
        [],
      );
    for (const [id, days] of [
      ['own', 8],
      ['thief', 1],
    ] as const)
      await passkey(id, later(clock.at, -days * 1440));
    const copied = browser.jar.get('account-session');
    const { body } = await browser.get('/security');
    expect(body).toContain('name="passkey" value="thief" checked');
    expect(body).toMatch(/name="passkey" value="own">/);
    const input = { current: PASSWORD, next: 'a new password', passkey: ['thief'] };
    expect((await browser.submit('/security', '/security/password', input)).location).toBe(
      '/security?done=passwordSet',
    );
    expect((await browser.get('/library')).status).toBe(200);
    expect(await service.get('findSession')(copied)).toBeUndefined();
    expect((await service.get('passkeys').of(1)).map(({ id }) => id)).toEqual(['own']);
  });

  test('an owner can sign out everywhere, including this browser', async () => {
    const other = new PageBrowser(server.url);
    await other.signIn(EMAIL, PASSWORD);
    expect((await browser.submit('/security', '/security/end-all', {})).location).toBe('/sign-in');
    expect(await service.get('listSessions')(1)).toEqual([]);
    expect(await service.get('knownBrowsers').of(1)).toEqual([]);
  });
});
