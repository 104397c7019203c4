import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECTIONS } from '../../../adapters/web/account/views/page.ts';
import { EMAIL } from '../../support/account-pages.ts';
import { put } from '../../support/contents.ts';
import { type AccountHost, aLink, openAccountHost } from './account-host.ts';
import { oneBrowser } from './support/chromium.ts';

/** True if the shop's name is not fully visible. */
const IS_CUT = `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.brand > :last-child'))`;

/** The URLs of visible links for which a test in the page is true. */
const linksOf = (selector: string, holds = 'true'): string =>
  `[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility() && ${holds}).map((one) => one.getAttribute('href'))`;

describe('the account host in a browser', () => {
  const browser = oneBrowser();
  let host: AccountHost;

  beforeEach(async () => {
    host = await openAccountHost(browser());
  });

  afterEach(async () => {
    const { complaints, elsewhere } = host;
    await host.close();
    // The browser itself reports each error page.
    expect(complaints.filter((line) => !line.includes('status of 4'))).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  const text = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();

  test('a new key is shown once and copied, and reloading neither shows it nor makes another', async () => {
    const page = await host.signedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('nav >> text=Devices');
    await page.click('nav >> text=API keys');
    await page.fill('#name', 'Build server');
    await page.check('input[name=use][value=own]');
    await page.check('input[value="orders.read"]');
    await page.click('text=Create key');
    const value = await text(page, '#value');
    expect(value).toMatch(/^svc_/);
    await page.click('.copy');
    await expect.poll(() => text(page, '#value-status')).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    await page.reload();
    expect(await page.content()).not.toContain(value);
    expect(await text(page, '[role=alert]')).toContain('already sent');
    const listed = await host.service.get('listApiKeys')({ account_id: 1 });
    expect(listed.ok && listed.value).toHaveLength(1);
    await page.click('main summary:has-text("Revoke")');
    await page.click('text=Revoke “');
    expect(await text(page, '[role=status]')).toBe('The key was revoked.');
    expect((await host.service.get('authenticate')(value)).ok).toBe(false);
  });

  test('the account menu closes by Escape and by a click beside it, without a script', async () => {
    const page = await host.signedIn({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    const isOpen = () => page.locator('.menu').isVisible();
    for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(20, 600)]) {
      await page.click('.who > button');
      expect(await isOpen()).toBe(true);
      expect(await text(page, '.menu')).toContain(EMAIL);
      await close();
      expect(await isOpen()).toBe(false);
    }
  });

  test('a narrow screen shows the shop’s whole name, every section and the current one, even in forced colors', async () => {
    const name = 'Quiet Desk Software';
    await put(host.service, { storefront: { product_url: null, product_detail_url: null, name } });
    const page = await host.signedIn({ viewport: { width: 320, height: 640 }, forcedColors: 'active' });
    const paths = SECTIONS.map((one) => `/${one}`);
    for (const section of SECTIONS) {
      await page.goto(`${host.url}/${section}`);
      expect(await page.evaluate(IS_CUT)).toBe(false);
      await page.click('.who > button');
      expect(await page.evaluate(linksOf('header a'))).toEqual(expect.arrayContaining(paths));
      expect(
        await page.evaluate(
          linksOf(':is(.sections, .menu) a', 'parseFloat(getComputedStyle(one).borderBottomWidth) > 0'),
        ),
      ).toEqual([`/${section}`]);
    }
  });

  test('another browser can be signed out on the security page', async () => {
    const [page, other] = [await host.signedIn(), await host.signedIn({ locale: 'ko-KR' })];
    // On a phone it is in the account's menu.
    await page.click('.who > button');
    await page.click('.menu >> text=Security');
    expect(await page.locator('.row').count()).toBe(2);
    await page.click('summary:has-text("Sign out everywhere else")');
    await page.click('button:has-text("Sign out everywhere else")');
    expect(await page.locator('.row').count()).toBe(1);
    await other.reload();
    expect(new URL(other.url()).pathname).toBe('/sign-in');
  });

  test.each([
    [{ timezoneId: 'Asia/Seoul' }, /, \d\d:\d\d GMT\+9$/],
    [{ timezoneId: 'Asia/Seoul', javaScriptEnabled: false }, /, \d\d:\d\d UTC$/],
    [{ timezoneId: 'America/New_York', locale: 'ko-KR' }, /년.*(?:AM|PM|오전|오후) \d+:\d\d GMT-[45]$/],
  ])('a time is shown in the visitor’s time zone, or without a script in the shop’s, by its name: %j', async (options, told) => {
    const page = await host.signedIn(options);
    await page.goto(`${host.url}/security`);
    expect(await text(page, 'time[data-moment]')).toMatch(told);
  });

  test('a one-time link signs in, and the password set there works the next time', async () => {
    const page = await host.aBrowser({ locale: 'ko-KR' });
    await page.goto(host.url + (await aLink(host, 2)));
    await page.click('form.stack button');
    expect(await text(page, 'h1')).toBe('비밀번호 설정');
    await page.fill('#next', '새로운 비밀번호입니다');
    await page.click('form.stack button');
    expect(await text(page, '[role=status]')).toContain('비밀번호를 저장했습니다');
    await page.click('.who > button');
    await page.click('header >> text=로그아웃');
    await page.fill('#email', 'buyer-2@example.com');
    await page.fill('#password', '새로운 비밀번호입니다');
    await page.click('form.stack button');
    expect(new URL(page.url()).pathname).toBe('/library');
  });
});
