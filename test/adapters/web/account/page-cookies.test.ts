import { describe, expect, test } from 'vitest';
import { aBuyersService, EMAIL, PASSWORD, servePages } from '../../../support/account-pages.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

describe('the cookies of account pages', () => {
  const served = async (url?: string) => {
    const service = await aBuyersService();
    const parts = service.parts;
    return servePages(url === undefined ? { parts } : { parts, url });
  };

  test('over http the cookies have plain names and are HttpOnly and SameSite=Lax', async () => {
    const server = await served();
    const answer = await new PageBrowser(server.url).signIn(EMAIL, PASSWORD);
    await server.close();
    expect(answer.cookies.map((line) => line.replace(/=[^;]*/, ''))).toEqual([
      'account-session; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax',
      'account-known; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('over https the cookies are host-only and Secure, and a cookie without the prefix is ignored', async () => {
    const url = 'https://account.example.com';
    const server = await served(url);
    const browser = new PageBrowser(server.url);
    const form = hiddenFields((await browser.get('/sign-in')).body, '/sign-in');
    const signedIn = await browser.post('/sign-in', { ...form, email: EMAIL, password: PASSWORD }, { origin: url });
    const session = browser.jar.get('__Host-account-session');
    const plain = new PageBrowser(server.url, { cookie: `account-session=${session}` });
    const [own, other] = [await browser.get('/library'), await plain.get('/library')];
    await server.close();
    expect(signedIn.cookies.map((line) => line.replace(/=[^;]*/, ''))).toEqual([
      '__Host-account-session; Max-Age=7776000; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-account-known; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect([own.status, other.status]).toEqual([200, 303]);
  });
});
