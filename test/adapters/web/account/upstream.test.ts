import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountPagesParts } from '../../../../adapters/web/account/parts.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, type PagesServer, servePages } from '../../../support/account-pages.ts';
import { PageBrowser } from '../../../support/page-browser.ts';

type Finish = NonNullable<AccountPagesParts['finishUpstreamSignIn']>;

const SHOP = 'https://shop.example/authorize?state=1';

describe('the sign-in at the shop’s own provider', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let asked: Parameters<Finish>[1][];
  let answer: Awaited<ReturnType<Finish>> | undefined;
  let isUp: boolean;

  beforeEach(async () => {
    [asked, answer, isUp] = [[], undefined, true];
    service = await aBuyersService();
    server = await servePages({
      parts: {
        ...service.parts,
        signInMethods: { password: false, upstream: { name: 'Acme & Sons' } },
        beginUpstreamSignIn: async ({ next }) =>
          isUp ? ok({ url: SHOP, cookie: `begun-${next}` }) : refuse('upstream_unavailable'),
        finishUpstreamSignIn: async (_permit, input) => {
          asked.push(input);
          if (answer) return answer;
          const opened = await service.get('openSession')(1, 'upstream', input);
          return opened.ok ? ok({ ...opened.value, next: '/keys' }) : opened;
        },
      },
    });
    browser = new PageBrowser(server.url);
  });

  afterEach(() => server.close());

  test('the button leads to the provider, and the redirect back signs in and continues', async () => {
    const { body } = await browser.get('/sign-in?next=%2Fkeys');
    expect(body).toContain('Sign in with Acme &amp; Sons');
    expect(body).not.toContain('type="password"');
    expect((await browser.get('/sign-in/upstream?next=%2Fkeys')).location).toBe(SHOP);
    const back = await browser.get('/sign-in/callback?code=c&state=1');
    expect(back).toMatchObject({ status: 303, location: '/keys' });
    expect(asked[0]?.callback_url).toBe(`${server.url}/sign-in/callback?code=c&state=1`);
    expect(asked[0]?.cookie).toBe('begun-/keys');
    expect(browser.jar.has('account-upstream')).toBe(false);
    expect((await browser.get('/security')).body).toContain('With your shop account');
  });

  test.each([
    ['upstream_refused', 403, 'cancelled or refused'],
    ['upstream_unavailable', 503, 'is not responding'],
    ['email_not_verified', 403, 'Acme &amp; Sons has not confirmed'],
    ['account_taken', 403, 'another customer of Acme &amp; Sons'],
    ['sign_in_expired', 400, 'expired'],
  ] as const)('a way back that ends with %s is a page that says what to do', async (code, status, words) => {
    answer = refuse(code, { data: { next: '/devices?product=4' } });
    const page = await browser.get('/sign-in/callback?error=x');
    expect(page.status).toBe(status);
    expect(page.body).toContain(words);
    expect(page.body).toContain('/sign-in/upstream?next=%2Fdevices%3Fproduct%3D4');
    expect(browser.jar.has('account-session')).toBe(false);
  });

  test('an unreachable provider shows a page that says so', async () => {
    isUp = false;
    expect(await browser.get('/sign-in/upstream')).toMatchObject({ status: 503 });
  });

  test('a foreign redirect address is never followed', async () => {
    await browser.get('/sign-in/upstream?next=https%3A%2F%2Fevil.example');
    expect(decodeURIComponent(browser.jar.get('account-upstream') as string)).toBe('begun-/');
  });
});

test('without a provider no page offers a provider sign-in', async () => {
  const server = await servePages({ parts: (await aBuyersService()).parts });
  const browser = new PageBrowser(server.url);
  const [page, begin, back] = [
    await browser.get('/sign-in'),
    await browser.get('/sign-in/upstream'),
    await browser.get('/sign-in/callback?code=x'),
  ];
  await server.close();
  expect(page.body).not.toContain('/sign-in/upstream');
  expect([begin.status, back.status]).toEqual([404, 404]);
});
