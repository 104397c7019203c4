import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EMAIL, PASSWORD } from '../../support/account-pages.ts';
import {
  type AccountHost,
  aLink,
  anAuthorization,
  aRefusedDevice,
  aWaitingDevice,
  CHROMIUM,
  FILE,
  FLAGS,
  openAccountHost,
} from './account-host.ts';

describe('the account host in a browser', () => {
  let browser: Browser;
  let host: AccountHost;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  }, 60_000);

  afterAll(() => browser?.close());

  beforeEach(async () => {
    host = await openAccountHost(browser);
  });

  afterEach(async () => {
    const { complaints, elsewhere } = host;
    await host.close();
    // The browser itself reports each page of an error.
    expect(complaints.filter((line) => !line.includes('status of 4'))).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  const text = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();

  test('a refused device’s owner signs in, lands on its product and releases a device, in Korean and without a script', async () => {
    const page = await host.aBrowser({ locale: 'ko-KR', javaScriptEnabled: false });
    const path = await aRefusedDevice(host);
    await page.goto(host.url + path);
    expect(await text(page, 'h1')).toBe('로그인');
    await page.fill('#email', EMAIL);
    await page.fill('#password', PASSWORD);
    await page.click('form.stack button');
    expect(page.url()).toBe(host.url + path);
    expect(await text(page, 'h1')).toBe('해시체크 기기');
    expect(await text(page, '.count')).toBe('2대 중 2대 사용 중');
    await page.click('summary >> nth=0');
    await page.click('text=이 기기 해제');
    expect(await text(page, '[role=status]')).toContain('기기를 해제했습니다');
    expect(await text(page, '.count')).toBe('2대 중 1대 사용 중');
    expect(await page.locator('.row').count()).toBe(1);
  });

  test('a new key is shown once and copied, and reloading neither shows it nor makes another', async () => {
    const page = await host.signedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('nav >> text=API keys');
    await page.fill('#name', 'Build server');
    await page.check('input[value="orders.read"]');
    await page.click('text=Create key');
    const value = await text(page, '#value');
    expect(value).toMatch(/^svc_/);
    await page.click('.copy');
    await expect.poll(() => text(page, '#value-status')).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    await page.reload();
    expect(await page.content()).not.toContain(value);
    expect(await text(page, '[role=alert]')).toContain('sent already');
    const listed = await host.service.get('listApiKeys').execute(1);
    expect(listed.ok && listed.value).toHaveLength(1);
    await page.click('summary');
    await page.click('text=Revoke this key');
    expect(await text(page, '[role=status]')).toBe('The key was revoked.');
    expect((await host.service.get('authenticate').execute(value)).ok).toBe(false);
  });

  test('a file is downloaded from the list of purchases', async () => {
    const page = await host.signedIn({ locale: 'ko-KR', acceptDownloads: true });
    expect(await page.locator('.card').count()).toBe(2);
    const downloading = page.waitForEvent('download');
    await page.click('text=Linux(x86-64)용 다운로드');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('hashcheck');
    expect(readFileSync(await download.path(), 'utf8')).toBe(FILE);
  });

  test('another browser is signed out from the page of security', async () => {
    const [page, other] = [await host.signedIn(), await host.signedIn({ locale: 'ko-KR' })];
    await page.click('nav >> text=Security');
    expect(await page.locator('.row').count()).toBe(2);
    await page.click('summary');
    await page.click('text=Sign out everywhere else');
    expect(await page.locator('.row').count()).toBe(1);
    await other.reload();
    expect(new URL(other.url()).pathname).toBe('/sign-in');
  });

  test('an app is disconnected', async () => {
    const page = await host.signedIn();
    await page.click('nav >> text=Connected apps');
    await page.click('summary');
    await page.click('text=Disconnect this app');
    expect(await text(page, '[role=status]')).toBe('The app was disconnected.');
    expect(await host.service.get('listConnectedApps').execute(1)).toEqual([]);
  });

  test('a device is let in by its code, without a script', async () => {
    const { user_code, redeem } = await aWaitingDevice(host);
    const page = await host.aBrowser({ javaScriptEnabled: false });
    await host.signIn(page, `/sign-in?next=${encodeURIComponent(`/device?user_code=${user_code}`)}`);
    expect(await page.inputValue('#user_code')).toBe(user_code);
    await page.click('text=Continue');
    expect(await text(page, '.warning')).toContain('Only approve this if you started it yourself');
    await page.fill('#device_name', 'My studio');
    await page.click('button:text-is("Approve")');
    expect(await text(page, 'h1')).toBe('The device is connected');
    expect(await redeem()).toMatchObject({ ok: true, value: { key: { device: { name: 'My studio' } } } });
  });

  test.each([
    [true, 'ko-KR', '허용'],
    [false, 'en-GB', 'Allow'],
  ])('an application of another origin is let in with what was ticked (script: %s)', async (javaScriptEnabled, locale, allow) => {
    const { path, redeem } = await anAuthorization(host);
    const page = await host.aBrowser({ javaScriptEnabled, locale });
    await host.signIn(page, path);
    expect(new URL(page.url()).pathname).toMatch(/^\/interaction\//);
    expect(await text(page, 'h1')).toContain('Notebook <b>');
    expect(await page.isDisabled('input[value="mcp.read"]')).toBe(true);
    await page.uncheck('input[value="orders.read"]');
    await page.click(`button:text-is("${allow}")`);
    await page.waitForURL((url) => url.origin === host.application);
    const answered = new URL(page.url()).searchParams;
    expect([answered.get('state'), answered.get('iss')]).toEqual(['state-1', host.url]);
    expect(await redeem(answered.get('code') as string)).toMatchObject({
      scope: expect.not.stringContaining('orders'),
    });
    const apps = await host.service.get('listConnectedApps').execute(1);
    expect(apps.find(({ client_name }) => client_name === 'Notebook <b>')?.permissions).toEqual([
      'products.read',
      'mcp.read',
    ]);
  });

  test('an application that is not let in is told so', async () => {
    const { path } = await anAuthorization(host);
    const page = await host.aBrowser();
    await host.signIn(page, path);
    await page.click('button:text-is("Don’t allow")');
    await page.waitForURL((url) => url.origin === host.application);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  test('a one-time link signs in, and its password is good for the next time', async () => {
    const page = await host.aBrowser({ locale: 'ko-KR' });
    await page.goto(host.url + (await aLink(host, 2)));
    await page.click('form.stack button');
    expect(await text(page, 'h1')).toBe('비밀번호 설정');
    await page.fill('#next', '새로운 비밀번호입니다');
    await page.click('form.stack button');
    expect(await text(page, '[role=status]')).toContain('비밀번호를 저장했습니다');
    await page.click('header >> text=로그아웃');
    await page.fill('#email', 'buyer-2@example.com');
    await page.fill('#password', '새로운 비밀번호입니다');
    await page.click('form.stack button');
    expect(new URL(page.url()).pathname).toBe('/library');
  });

  test('the keyboard reaches the content past the navigation, and every step of a release', async () => {
    const path = await aRefusedDevice(host);
    const page = await host.signedIn();
    await page.goto(host.url + path);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[role=status]').waitFor();
    expect(await page.locator('.row').count()).toBe(1);
  });
});
