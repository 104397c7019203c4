import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { iconPath, stylePath } from '../../../../adapters/web/account/assets/assets.ts';
import { csrfToken } from '../../../../adapters/web/account/csrf.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { CHANGES_ON_PAGES } from '../../../../domain/audit/bounds.ts';
import { DEFAULT_ACCENT } from '../../../../domain/catalog/accent.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import {
  aBuyersService,
  EMAIL,
  openPages,
  PASSWORD,
  type PagesServer,
  servePages,
} from '../../../support/account-pages.ts';
import { anApiKey } from '../../../support/builders.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

describe('the checks of account pages', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeAll(async () => {
    service = await aBuyersService();
    server = await servePages({ parts: service.parts });
  });

  afterAll(() => server.close());

  beforeEach(() => {
    browser = new PageBrowser(server.url);
  });

  test('only a page requested under another loopback name redirects to the public address', async () => {
    const at = async (public_url: string, asked: string, method = 'GET') => {
      const pages = await servePages({ parts: service.parts, url: public_url });
      const sent = httpRequest(`${pages.url}/sign-in?next=%2Fkeys`, { method, headers: { host: asked } }).end();
      const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage];
      await pages.close();
      return statusCode === 302 ? headers.location : statusCode;
    };
    const home = 'http://127.0.0.1:8790';
    expect(await at(home, 'localhost:8790')).toBe(`${home}/sign-in?next=%2Fkeys`);
    expect(await at('http://localhost:8790', '[::1]:8790')).toBe('http://localhost:8790/sign-in?next=%2Fkeys');
    for (const asked of ['127.0.0.1:8790', 'localhost:8791', 'account.example.com:8790', '10.0.0.1'])
      expect(await at(home, asked)).toBe(200);
    expect(await at('https://account.example.com', 'localhost')).toBe(200);
    expect(await at(home, 'localhost:8790', 'POST')).toBe(403);
  });

  test('an account at its daily limit of changes can only revoke access', async () => {
    const own = await aBuyersService({ keys: [anApiKey({ id: 50 })] });
    const { server: pages, browser: visitor } = await openPages(own);
    try {
      const now = own.get('clock').now();
      await own.get('dailyBounds').count(grantPermit(), CHANGES_ON_PAGES, '1', CHANGES_ON_PAGES.most - 1, now);
      const input = { name: 'Server', ability: ['products.read'], product: '', expires: '' };
      expect((await visitor.submit('/keys', '/keys', input)).status).toBe(201);
      const refused = await visitor.submit('/keys', '/keys', input);
      expect(refused.status).toBe(429);
      expect(refused.body).toContain('Too many changes');
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(86_400);
      const csrf = hiddenFields((await visitor.get('/security')).body, '/sign-out')['csrf'] as string;
      for (const path of ['/devices/release', '/security/password', '/device/decide']) {
        expect((await visitor.post(path, { csrf, product: '1', device: 'laptop' })).status).toBe(429);
      }
      expect(await visitor.post('/keys/revoke', { csrf, key: '50' })).toMatchObject({ location: '/keys?done=revoked' });
    } finally {
      await pages.close();
    }
  });

  const sessions = () => service.get('listSessions')(1);

  describe('a form of an account', () => {
    let csrf: string;

    beforeEach(async () => {
      await browser.signIn(EMAIL, PASSWORD);
      csrf = hiddenFields((await browser.get('/security')).body, '/sign-out')['csrf'] as string;
    });

    test('a form with the session’s token is accepted', async () => {
      expect(await browser.post('/sign-out', { csrf })).toMatchObject({ status: 303, location: '/sign-in' });
    });

    test.each([
      ['without a token', {}],
      ['with an empty token', { csrf: '' }],
      ['with a token of another session', { csrf: csrfToken(randomBytes(32).toString('base64url')) }],
      ['with a token of the same length that is none', { csrf: 'A'.repeat(43) }],
    ])('a form %s is 403 and changes nothing', async (_, fields) => {
      const before = (await sessions()).length;
      expect((await browser.post('/sign-out', fields)).status).toBe(403);
      expect(await sessions()).toHaveLength(before);
    });

    test('an account form with a visitor’s token is 403', async () => {
      const visitor = csrfToken(browser.jar.get('account-form') as string);
      expect((await browser.post('/sign-out', { csrf: visitor })).status).toBe(403);
    });

    test.each([
      ['another origin', { origin: 'https://evil.example' }],
      ['an origin that is hidden', { origin: 'null' }],
      ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
      ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling host, as the browser says', { 'sec-fetch-site': 'same-site' }],
    ])('a form from %s is 403 even with the token', async (_, headers) => {
      expect((await browser.post('/sign-out', { csrf }, headers as Record<string, string>)).status).toBe(403);
    });

    test('a person under another name of the machine learns the address where forms work', async () => {
      const { body } = await browser.post('/sign-out', { csrf }, { origin: 'http://localhost:1' });
      expect(body).toContain(`<a class="button" href="${server.url}/">`);
    });

    test('a browser without an Origin header needs the token', async () => {
      expect((await browser.post('/sign-out', { csrf: '' }, {})).status).toBe(403);
      expect((await browser.post('/sign-out', { csrf }, {})).status).toBe(303);
    });

    test('a form sent after the session ended leads to the sign-in and back to its page', async () => {
      await browser.post('/sign-out', { csrf });
      const answer = await browser.post('/keys/revoke', { csrf, key: '1' });
      expect(answer).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys' });
    });

    test.each([
      ['too many bytes', { csrf: 'x', filler: 'x'.repeat(16 * 1024) }, 413],
      ['too many fields', Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`f${n}`, 'x'])), 413],
    ])('a form with %s is refused', async (_, fields, status) => {
      const answer = await browser.post('/sign-out', fields as unknown as Record<string, string>);
      expect(answer.status).toBe(status);
    });
  });

  describe('the sign-in form', () => {
    test('a sign-in without the visitor’s token is 403, so nobody is signed in to another’s account', async () => {
      await browser.get('/sign-in');
      const before = (await sessions()).length;
      expect((await browser.post('/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(403);
      expect(await sessions()).toHaveLength(before);
    });

    test('a sign-in token without its cookie is 403', async () => {
      const fields = hiddenFields((await browser.get('/sign-in')).body, '/sign-in');
      const other = new PageBrowser(server.url);
      expect((await other.post('/sign-in', { ...fields, email: EMAIL, password: PASSWORD })).status).toBe(403);
    });

    test('a sign-in from a foreign origin is 403 even with the token', async () => {
      const fields = hiddenFields((await browser.get('/sign-in')).body, '/sign-in');
      const origin = { origin: 'https://evil.example' };
      const answer = await browser.post('/sign-in', { ...fields, email: EMAIL, password: PASSWORD }, origin);
      expect(answer.status).toBe(403);
    });

    test('a sign-in opens a new session and ends the browser’s previous one', async () => {
      await browser.signIn(EMAIL, PASSWORD);
      const planted = browser.jar.get('account-session') as string;
      const fields = hiddenFields((await new PageBrowser(server.url).get('/sign-in')).body, '/sign-in');
      expect(fields['csrf']).toBeDefined();
      const csrf = csrfToken(browser.jar.get('account-form') as string);
      const again = await browser.post('/sign-in', { csrf, email: EMAIL, password: PASSWORD });
      expect(again.status).toBe(303);
      expect(browser.jar.get('account-session')).not.toBe(planted);
      const thief = new PageBrowser(server.url, { cookie: `account-session=${planted}` });
      expect(await thief.get('/library')).toMatchObject({ status: 303, location: '/sign-in?next=%2Flibrary' });
    });

    test('an unissued session cookie signs nobody in, before and after a sign-in with it', async () => {
      const planted = randomBytes(32).toString('base64url');
      browser.jar.set('account-session', planted);
      await browser.signIn(EMAIL, PASSWORD);
      expect(browser.jar.get('account-session')).not.toBe(planted);
      const thief = new PageBrowser(server.url, { cookie: `account-session=${planted}` });
      expect((await thief.get('/library')).status).toBe(303);
    });
  });

  describe('the redirect after a sign-in', () => {
    test.each([
      ['/keys', '/keys'],
      ['/devices?product=4', '/devices?product=4'],
      ['/', '/library'],
      ['https://evil.example/', '/library'],
      ['//evil.example/', '/library'],
      ['/\\evil.example', '/library'],
      ['/\t/evil.example', '/library'],
      ['/\n/evil.example', '/library'],
      ['javascript:alert(1)', '/library'],
      ['evil.example', '/library'],
      ['/%0d%0aSet-Cookie:x=1', '/%0d%0aSet-Cookie:x=1'],
      [`/${'x'.repeat(3000)}`, '/library'],
    ])('the path %j redirects to %j', async (next, location) => {
      const answer = await browser.signIn(EMAIL, PASSWORD, next);
      expect(answer).toMatchObject({ status: 303, location });
      const fields = { email: EMAIL, password: PASSWORD, next };
      const forged = await new PageBrowser(server.url).submit('/sign-in', '/sign-in', fields);
      expect(forged).toMatchObject({ status: 303, location });
    });

    test.each([
      'https://evil.example/',
      '//evil.example/',
    ])('a signed-in browser is not redirected to %j', async (next) => {
      await browser.signIn(EMAIL, PASSWORD);
      expect((await browser.get(`/sign-in?next=${encodeURIComponent(next)}`)).location).toBe('/library');
    });

    test('signing out with a foreign URL leads only to the sign-in', async () => {
      await browser.signIn(EMAIL, PASSWORD);
      const answer = await browser.submit('/security', '/sign-out', { next: 'https://evil.example' });
      expect(answer.location).toBe('/sign-in');
    });
  });

  describe('the headers of account pages', () => {
    test.each([
      '/sign-in',
      '/library',
      '/nothing-here',
      '/keys',
      '/sign-in/link?code=x',
    ])('the page %s can’t be framed or cached and loads nothing from elsewhere', async (path) => {
      const { headers } = await browser.get(path);
      const policy = headers.get('content-security-policy')?.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'self'",
        ]),
      );
      expect(policy?.join()).not.toContain('unsafe');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    });

    test('assets are cached forever under their hash and revalidated by their ETag', async () => {
      const paths = [stylePath(DEFAULT_ACCENT), iconPath(DEFAULT_ACCENT)];
      const { body } = await browser.get('/sign-in');
      expect(paths.filter((path) => body.includes(`"${path}"`))).toHaveLength(2);
      for (const path of paths) {
        const asset = await browser.get(path);
        expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        const again = await browser.get(path, { 'if-none-match': asset.headers.get('etag') as string });
        expect([asset.status, again.status]).toEqual([200, 304]);
      }
    });

    test('the log has paths without queries, so it never contains a code', async () => {
      await browser.get('/sign-in/link?code=secret-code');
      await browser.get('/device?user_code=BCDF-GHJK');
      expect(server.lines.map(({ path }) => path)).toContain('/sign-in/link');
      expect(JSON.stringify(server.lines)).not.toMatch(/secret-code|BCDF/);
    });
  });
});

describe('the rate limits of account pages', () => {
  test.each([
    '/library',
    '/library/download?product=1',
    '/sign-in',
    '/keys',
  ])('the request for %s counts once against the account or the IP address', async (path) => {
    const service = await aBuyersService();
    const { limitRate } = service.parts;
    const counts: string[] = [];
    const { count } = limitRate;
    service.get('limitRate').count = async (owner, own) => {
      counts.push(owner.kind);
      return count(owner, own);
    };
    const { server, browser } = await openPages(service);
    counts.length = 0;
    await browser.get(path);
    await server.close();
    expect(counts).toEqual([path === '/sign-in' ? 'address' : 'account']);
  });

  test('an account above its limit gets a page that says when to try again', async () => {
    const service = await aBuyersService();
    const parts = service.parts;
    const over = { allowed: false, limit: 1, remaining: 0, resets_at: 0, retry_after: 17 };
    let spent = false;
    const limited = {
      spent: () => (spent ? over : undefined),
      count: async () => ({ ...over, allowed: true }),
    };
    const server = await servePages({ parts: { ...parts, limitRate: limited } });
    const browser = new PageBrowser(server.url, { 'accept-language': 'ko' });
    await browser.signIn(EMAIL, PASSWORD);
    const csrf = hiddenFields((await browser.get('/security')).body, '/sign-out')['csrf'] as string;
    spent = true;
    const page = await browser.get('/library');
    const form = await browser.post('/sign-out', { csrf });
    const visitor = await new PageBrowser(server.url).get('/sign-in/link?code=x');
    await server.close();
    expect([page.status, form.status, visitor.status]).toEqual([429, 429, 429]);
    expect(page.headers.get('retry-after')).toBe('17');
    expect(page.body).toContain('17초 후에');
  });
});
