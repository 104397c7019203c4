import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import type { ConsentDecision, ConsentRequest, Consents } from '../../adapters/web/account/parts.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import type { Service } from '../../runtimes/composition/service.ts';
import { anAccount } from '../support/account-builders.ts';
import { EMAIL, PASSWORD, type PagesServer, pagesPartsOf, servePages } from '../support/account-pages.ts';
import { aDevice, anArtifact, anEntitlement, aProduct, aRelease, NOW } from '../support/builders.ts';
import { put, storedFile } from '../support/contents.ts';
import { type Listening, listen, withDownloads } from '../support/download-server.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FILE = 'the file that was bought';

const CONSENT: ConsentRequest = {
  uid: 'consent-1',
  client: { id: 'client', name: 'Notebook', uri: 'https://notebook.example', is_metadata_document: false },
  redirect_host: 'localhost',
  redirects_to_this_machine: true,
  permissions: ['products.read', 'orders.read', 'mcp.read'],
  resource: 'https://api.example.com/api/mcp',
};

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}, 60_000);

afterAll(() => browser?.close());

describe('the account host in a browser', () => {
  let service: Service;
  let server: PagesServer;
  let downloads: Listening;
  let client: Listening;
  let apps: ConnectedApp[];
  let decisions: (ConsentDecision | 'denied')[];
  let open: BrowserContext[];
  let complaints: string[];
  let elsewhere: string[];

  beforeEach(async () => {
    [apps, decisions, open, complaints, elsewhere] = [[], [], [], [], []];
    const serving = await withDownloads((signature) => new MemoryObjects(signature));
    downloads = serving;
    service = memoryService({}, { ...memoryEngines(), objects: serving.store });
    const file = await storedFile(service, FILE);
    await put(service, {
      accounts: [anAccount({ password_hash: `salt:${PASSWORD}` })],
      products: [
        aProduct({
          id: 1,
          name: { en: 'Hashcheck', ko: '해시체크' },
          type_label: { en: 'Command-line tool', ko: '명령줄 도구' },
          description: { en: 'Tells whether files have changed.', ko: '파일이 바뀌었는지 알려 줍니다.' },
          device_limit: 2,
        }),
        aProduct({ id: 2, name: { en: 'Old Notes', ko: '옛 메모' } }),
      ],
      entitlements: [
        anEntitlement({ id: 1, product_id: 1 }),
        anEntitlement({ id: 2, product_id: 2, access_expires_at: '2026-01-31T00:00:00.000Z' }),
      ],
      releases: [aRelease({ artifacts: [anArtifact({ platform: 'linux-amd64', filename: 'hashcheck', ...file })] })],
    });
    apps.push({
      grant_id: 'grant-1',
      account_id: 1,
      client_id: 'client',
      client_name: 'Notebook',
      redirect_host: 'notebook.example',
      permissions: ['products.read', 'mcp.read'],
      created_at: NOW,
      last_used_at: NOW,
    });
    client = await listen((_req, res) => res.end('the application has its answer'));
    const decide = (decision: ConsentDecision | 'denied'): string => {
      decisions.push(decision);
      return `${server.url}/oauth/authorize/consent-1`;
    };
    const consents: Consents = {
      find: async () => CONSENT,
      approve: async (_req, _res, _permit, decision) => decide(decision),
      deny: async () => decide('denied'),
    };
    server = await servePages({
      parts: () => pagesPartsOf(service, apps),
      consents,
      before: [
        (req, res, next) => {
          if (req.path === '/oauth/authorize/consent-1') res.redirect(303, `${client.url}/callback?code=x`);
          else next();
        },
      ],
    });
  });

  afterEach(async () => {
    await Promise.all(open.map((context) => context.close()));
    await Promise.all([server.close(), downloads.close(), client.close()]);
  });

  /** A page of a new browser that knows nobody. */
  const aBrowser = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options });
    open.push(context);
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (![server.url, downloads.url, client.url].some((url) => request.url().startsWith(url))) {
        elsewhere.push(request.url());
      }
    });
    return page;
  };

  const signIn = async (page: Page, path = '/sign-in'): Promise<void> => {
    await page.goto(server.url + path);
    await page.fill('#email', EMAIL);
    await page.fill('#password', PASSWORD);
    await page.click('form.stack button');
    await page.waitForURL((url) => url.pathname !== '/sign-in');
  };

  const signedIn = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await aBrowser(options);
    await signIn(page);
    return page;
  };

  const startDevice = async (): Promise<{ user_code: string; redeem: () => Promise<unknown> }> => {
    const wish = { client_id: 'cli', device_id: 'd-1', device_name: 'studio.local', address: '203.0.113.9' };
    const started = await service.get('startDeviceSignIn').execute(wish);
    if (!started.ok) throw new Error(started.code);
    const { user_code, device_code } = started.value;
    const redeem = () => service.get('redeemDeviceSignIn').execute(grantPermit(), { device_code, client_id: 'cli' });
    return { user_code, redeem };
  };

  /** Fills both places of product 1, asks for a third, and gives the path that the refused device is told. */
  const refusedDevice = async (): Promise<string> => {
    for (const [n, name] of ['서연의 MacBook', 'Old laptop'].entries()) {
      const { slots } = await service.get('devices').find(1, 1, null);
      const device = aDevice({ device_id: `device-${n}`, name, activated_at: `2026-0${n + 1}-01T08:00:00.000Z` });
      await service.get('devices').activate(grantPermit(), 1, 1, device, slots);
    }
    const refused = await service.get('checkLicense').execute({
      accountId: 1,
      scope: { product_id: null },
      device: null,
      question: { product_id: 1, bundle_id: null, device_id: 'third', app_version: null },
      permit: Promise.resolve(grantPermit()),
    });
    if (refused.ok) throw new Error('The third device was let in.');
    const url = new URL(String(refused.data?.['manage_url']));
    return url.pathname + url.search;
  };

  const text = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();

  test('a refused device’s owner signs in, lands on its product and releases a device, in Korean and without a script', async () => {
    const page = await aBrowser({ locale: 'ko-KR', javaScriptEnabled: false });
    const path = await refusedDevice();
    await page.goto(server.url + path);
    expect(await text(page, 'h1')).toBe('로그인');
    await page.fill('#email', EMAIL);
    await page.fill('#password', PASSWORD);
    await page.click('form.stack button');
    expect(page.url()).toBe(server.url + path);
    expect(await text(page, 'h1')).toBe('해시체크 기기');
    expect(await text(page, '.count')).toBe('2대 중 2대 사용 중');
    await page.click('summary >> nth=0');
    await page.click('text=이 기기 해제');
    expect(await text(page, '[role=status]')).toContain('기기를 해제했습니다');
    expect(await text(page, '.count')).toBe('2대 중 1대 사용 중');
    expect(await page.locator('.row').count()).toBe(1);
  });

  test('a new key is shown once and copied, and reloading neither shows it nor makes another', async () => {
    const page = await signedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
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
    const listed = await service.get('listApiKeys').execute(1);
    expect(listed.ok && listed.value).toHaveLength(1);
    await page.click('summary');
    await page.click('text=Revoke this key');
    expect(await text(page, '[role=status]')).toBe('The key was revoked.');
    expect((await service.get('authenticate').execute(value)).ok).toBe(false);
  });

  test('a file is downloaded from the list of purchases', async () => {
    const page = await signedIn({ locale: 'ko-KR', acceptDownloads: true });
    expect(await page.locator('.card').count()).toBe(2);
    const downloading = page.waitForEvent('download');
    await page.click('text=Linux(x86-64)용 다운로드');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('hashcheck');
    expect(readFileSync(await download.path(), 'utf8')).toBe(FILE);
  });

  test('another browser is signed out from the page of security', async () => {
    const [page, other] = [await signedIn(), await signedIn({ locale: 'ko-KR' })];
    await page.click('nav >> text=Security');
    expect(await page.locator('.row').count()).toBe(2);
    await page.click('summary');
    await page.click('text=End all other sign-ins');
    expect(await page.locator('.row').count()).toBe(1);
    await other.reload();
    expect(new URL(other.url()).pathname).toBe('/sign-in');
  });

  test('an app is disconnected', async () => {
    const page = await signedIn();
    await page.click('nav >> text=Connected apps');
    await page.click('summary');
    await page.click('text=Disconnect this app');
    expect(await text(page, '[role=status]')).toBe('The app was disconnected.');
    expect(apps).toEqual([]);
  });

  test('a device is let in by its code, without a script', async () => {
    const { user_code, redeem } = await startDevice();
    const page = await aBrowser({ javaScriptEnabled: false });
    await signIn(page, `/sign-in?next=${encodeURIComponent(`/device?user_code=${user_code}`)}`);
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
  ])('consent goes on to an application of another origin (script: %s)', async (javaScriptEnabled, locale, allow) => {
    const page = await aBrowser({ javaScriptEnabled, locale });
    await signIn(page, '/interaction/consent-1');
    expect(new URL(page.url()).pathname).toBe('/interaction/consent-1');
    expect(await page.isDisabled('input[value="mcp.read"]')).toBe(true);
    await page.uncheck('input[value="orders.read"]');
    await page.click(`button:text-is("${allow}")`);
    await page.waitForURL(`${client.url}/callback?code=x`);
    expect(decisions).toEqual([{ account_id: 1, permissions: ['products.read', 'mcp.read'] }]);
  });

  test('a one-time link signs in, and its password is good for the next time', async () => {
    await put(service, { accounts: [anAccount({ id: 2 })] });
    const link = await service.get('createSignInLink').execute(grantPermit(), 2);
    const page = await aBrowser({ locale: 'ko-KR' });
    await page.goto(`${server.url}/sign-in/link?code=${link.ok ? link.value.code : ''}`);
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
    const path = await refusedDevice();
    const page = await signedIn();
    await page.goto(server.url + path);
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

  /** Every page, by the path that it has at the end and what leads to it. */
  const tour = async (page: Page): Promise<Record<string, () => Promise<unknown>>> => {
    const go = (path: string) => () => page.goto(server.url + path);
    const path = await refusedDevice();
    const { user_code } = await startDevice();
    const link = await service.get('createSignInLink').execute(grantPermit(), 1);
    return {
      library: go('/library'),
      devices: go('/devices'),
      product: go(path),
      question: async () => {
        await page.goto(server.url + path);
        await page.click('summary >> nth=0');
      },
      'key-faults': async () => {
        await page.goto(`${server.url}/keys`);
        await page.fill('#name', ' ');
        await page.click('form.stack button.main');
      },
      'key-new': async () => {
        await page.goto(`${server.url}/keys`);
        await page.fill('#name', 'Build server');
        await page.click('form.stack button.main');
      },
      keys: go('/keys'),
      apps: go('/apps'),
      security: go('/security'),
      password: go('/security/password?first=1'),
      device: go('/device'),
      'device-question': async () => {
        await page.goto(`${server.url}/device?user_code=${user_code}`);
        await page.click('form.stack button.main');
      },
      'device-done': go('/device/done?decision=approve'),
      consent: go('/interaction/consent-1'),
      'not-found': go('/nothing'),
      'link-unusable': go('/sign-in/link?code=x'),
      link: go(`/sign-in/link?code=${link.ok ? link.value.code : ''}`),
      'sign-in': async () => {
        await page.context().clearCookies();
        await page.goto(`${server.url}/sign-in`);
      },
      'sign-in-wrong': async () => {
        await page.fill('#email', EMAIL);
        await page.fill('#password', 'wrong');
        await page.click('form.stack button');
      },
    };
  };

  const LOOKS = [
    ['en-GB', 'light', 1280],
    ['ko-KR', 'dark', 390],
    ['ko-KR', 'light', 360],
    ['en-GB', 'dark', 360],
  ] as const;

  test.each(
    LOOKS,
  )('no page has a fault that axe finds, or is wider than the screen (%s, %s, %d px)', async (locale, colorScheme, width) => {
    const page = await signedIn({ locale, colorScheme, viewport: { width, height: 844 } });
    const found: string[] = [];
    for (const [name, visit] of Object.entries(await tour(page))) {
      await visit();
      const results = (await page.evaluate(`${AXE};axe.run()`)) as AxeResults;
      const faults = results.violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      found.push(...faults, ...(tooWide ? [`${name} is too wide`] : []));
      const folder = process.env['SCREENSHOTS'];
      if (folder) {
        await page.screenshot({ path: join(folder, `${name}.${locale}.${colorScheme}.${width}.png`), fullPage: true });
      }
    }
    expect(found).toEqual([]);
    // The browser itself reports each page of an error.
    expect(complaints.filter((line) => !line.includes('status of 4'))).toEqual([]);
    expect(elsewhere).toEqual([]);
  });
});
