import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../adapters/store/table.ts';
import type { AccountPagesParts } from '../../../../adapters/web/account/parts.ts';
import { aBuyersService, EMAIL, PASSWORD, type PagesServer, servePages } from '../../../support/account-pages.ts';
import { PageBrowser } from '../../../support/page-browser.ts';

describe('the account host’s responses to people', () => {
  let server: PagesServer;
  let browser: PageBrowser;
  let fail: (() => never) | undefined;

  beforeEach(async () => {
    fail = undefined;
    const parts = (await aBuyersService()).parts;
    const listPurchases: AccountPagesParts['listPurchases'] = async (input) =>
      fail ? fail() : parts.listPurchases(input);
    server = await servePages({ parts: { ...parts, listPurchases } });
    browser = new PageBrowser(server.url);
    await browser.signIn(EMAIL, PASSWORD);
  });

  afterEach(() => server.close());

  test('an unknown path shows a page in the visitor’s language', async () => {
    const { status, body, headers } = await browser.get('/nothing', { 'accept-language': 'ko-KR,en;q=0.5' });
    expect([status, headers.get('content-language')]).toEqual([404, 'ko']);
    expect(body).toContain('페이지를 찾을 수 없습니다');
  });

  test.each([
    '/%E0%A4%A',
    '/interaction/%',
    '/keys//',
    '/KEYS',
    '/../etc/passwd',
    '/assets/account.css',
  ])('the path %s shows a not-found page', async (path) => {
    expect((await browser.get(path)).status).toBe(404);
  });

  test('an error page has the request id and no stack trace, which is in the log', async () => {
    fail = () => {
      throw new Error('the secret reason');
    };
    const { status, body, headers } = await browser.get('/library', { 'x-request-id': 'request-12345' });
    expect(status).toBe(500);
    expect(body).toContain('<code class="value">request-12345</code>');
    expect(body).not.toContain('secret reason');
    expect(headers.get('x-request-id')).toBe('request-12345');
    expect(String(server.faults[0])).toContain('the secret reason');
  });

  test('an unavailable store shows a page that asks to come back', async () => {
    fail = () => {
      throw new StoreUnavailable('down');
    };
    const { status, body, headers } = await browser.get('/library?lang=ko');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(body).toContain('잠시 후 다시 시도해 주세요.');
  });

  test.each([
    'email=%ff',
    'email=caf%E9&password=x',
    Buffer.from([0x65, 0x3d, 0xff]),
  ])('a form with bytes that are not UTF-8 is 400: %s', async (body) => {
    const headers = { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(`${server.url}/sign-in`, { method: 'POST', headers, body })).status).toBe(400);
  });

  test('the root leads to the purchases or to the sign-in', async () => {
    expect((await browser.get('/')).location).toBe('/library');
    expect((await new PageBrowser(server.url).get('/')).location).toBe('/sign-in');
  });

  test('an expired session loses its cookie on the way to the sign-in', async () => {
    const stale = new PageBrowser(server.url);
    stale.jar.set('account-session', 'A'.repeat(43));
    expect((await stale.get('/library')).status).toBe(303);
    expect(stale.jar.has('account-session')).toBe(false);
  });

  describe('the language', () => {
    const language = async (path: string, headers: Record<string, string> = {}) =>
      /<html lang="(\w+)">/.exec((await browser.get(path, headers)).body)?.[1];

    test('a link chooses the language, which then overrides the browser’s preference', async () => {
      expect(await language('/library', { 'accept-language': 'en' })).toBe('en');
      expect(await language('/library?lang=ko', { 'accept-language': 'en' })).toBe('ko');
      expect(await language('/keys', { 'accept-language': 'en' })).toBe('ko');
      expect(await language('/keys?lang=en', { 'accept-language': 'ko' })).toBe('en');
      expect(await language('/keys', { 'accept-language': 'ko' })).toBe('en');
    });

    test.each(['fr', 'KO', '', '<script>'])('the language %j can’t be chosen', async (tag) => {
      expect(await language(`/library?lang=${encodeURIComponent(tag)}`, { 'accept-language': 'ko' })).toBe('ko');
    });

    test('the link to the other language keeps the page and its query', async () => {
      const { body } = await browser.get('/device?user_code=BCDF-GHJK&lang=en');
      expect(body).toContain('href="/device?user_code=BCDF-GHJK&amp;lang=ko"');
    });
  });

  test('every account page marks its section and has a title, a heading and a skip link', async () => {
    for (const [page, section = page] of [
      ['library'],
      ['devices'],
      ['keys', 'devices'],
      ['apps'],
      ['security'],
      ['profile'],
    ]) {
      const { body } = await browser.get(`/${page}`);
      const [navigation = ''] = /<nav class="sections".*?<\/nav>/.exec(body) ?? [];
      expect(navigation).toContain(`<a href="/${section}" aria-current="page">`);
      expect(navigation.match(/aria-current="page"/g)).toHaveLength(1);
      expect(body.match(/<h1>/g)).toHaveLength(1);
      expect(body).toMatch(/<title>.+ · Your account<\/title>/);
      expect(body).toContain('<a class="skip" href="#content">');
    }
  });
});
