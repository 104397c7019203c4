import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Running } from '../../../runtimes/express/start.ts';
import { aServer } from '../../sign-in/a-server.ts';
import { freePort } from '../../support/free-port.ts';
import { withAuthenticator } from './support/authenticator.ts';
import { aChromium, faultsOf, pathOf, picture, widthFaultsOf } from './support/chromium.ts';

/* The console of the sample shop in a real browser, from the setup link of the first start on. */

const aVisitor = aChromium();

/** Every page of the console, by its path. */
const PATHS = [
  '/',
  '/sales',
  '/subscriptions',
  '/customers',
  '/customers/1',
  '/customers/1/erasure',
  '/tickets',
  '/events',
  '/events?show=all',
  '/errors',
  '/errors/usage',
  '/errors/versions',
  '/products',
  '/products/new',
  '/products/4',
  '/releases',
  '/releases/4',
  '/releases/4/new',
  '/releases/4/1.1.0',
  '/search?q=nobody',
  '/people',
  '/webhooks',
  '/webhooks/new',
  '/notices',
  '/keys',
  '/audit',
  '/security',
  '/sales?days=365',
  '/orders',
  '/orders/record',
  '/orders/QD-20260120-0004',
  '/orders/QD-20260120-0004/refund',
  '/subscriptions?state=ending',
];

/** The screens. axe sees each layout and each color scheme once; the others are only measured. */
const SCREENS = [
  ['phone', 390, 'light', faultsOf],
  ['narrow', 320, 'light', widthFaultsOf],
  ['desk', 1280, 'light', widthFaultsOf],
  ['dark', 1280, 'dark', faultsOf],
] as const;

const setUp = async ({ service }: Running, page: Page): Promise<string> => {
  const code = (await service.get('offerSetup')(grantPermit())) ?? '';
  const link = service.get('links').setupLink(code);
  await page.goto(link);
  await page.fill('#email', 'owner@example.com');
  await page.fill('#name', 'Olga Owner');
  await page.click('button.main');
  await page.waitForSelector('.side', { state: 'attached' });
  return new URL(link).origin;
};

const nameOf = (path: string): string => path.replaceAll(/[^a-z0-9]+/gi, '-').slice(1) || 'today';

test('every page is accessible, fits a phone and follows the reader’s colors', { timeout: 300_000 }, async () => {
  const { page, complaints } = await aVisitor();
  const origin = await setUp(await aServer(), page);
  const found: string[] = [];
  for (const path of PATHS) {
    const answer = await page.goto(origin + path);
    expect([answer?.status(), pathOf(page)], path).toEqual([200, path]);
    for (const [name, width, colorScheme, faults] of SCREENS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      found.push(...(await faults(page, `${path} (${name})`)));
      await picture(page, `${nameOf(path)}-${name}`);
    }
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the navigation opens on a phone and by keyboard, without a script', { timeout: 120_000 }, async () => {
  const { page } = await aVisitor({ javaScriptEnabled: false });
  await setUp(await aServer(), page);
  const isOpen = () => page.locator('.side').isVisible();
  expect(await isOpen()).toBe(false);
  await page.locator('.toggle').press('Enter');
  await expect.poll(isOpen).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(isOpen).toBe(false);
  await page.locator('.who > button').press('Enter');
  await page.click('.menu a[href="/security"]');
  expect(pathOf(page)).toBe('/security');
  await page.locator('.who > button').click();
  await page.click('.menu form button');
  expect(pathOf(page)).toBe('/sign-in');
});

test('a member adds a passkey, signs in with it, and proves identity with it for irreversible steps', async () => {
  // Browsers allow no passkey at an IP address.
  const port = String(await freePort());
  const running = await aServer({ SHOP_PORT: port, SHOP_URL: `http://localhost:${port}` });
  const { page } = await aVisitor();
  page.setDefaultTimeout(10_000);
  const origin = await setUp(running, page);
  const { sessions, passkeys, members } = running.service.parts;
  const [owner] = (await members.read()).members;
  const account_id = owner?.account_id ?? 0;
  await withAuthenticator(page);
  await page.goto(`${origin}/security`);
  await page.fill('#name', 'Work laptop');
  await page.click('text=Add a passkey');
  await page.click('button.main');
  await page.waitForURL(/done=passkeyAdded/);
  const [kept] = await passkeys.of(account_id);
  expect(kept).toMatchObject({ name: 'Work laptop', place: 'console' });

  await page.locator('.who > button').click();
  await page.click('.menu form button');
  await page.click('text=Sign in with a passkey');
  await page.waitForSelector('.side', { state: 'attached' });
  const [newest] = (await sessions.of(account_id)).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  expect(newest).toMatchObject({ place: 'console', method: 'passkey' });

  for (const one of await sessions.of(account_id)) {
    await sessions.touch({ ...one, created_at: new Date(Date.now() - 3_600_000).toISOString() });
  }
  await page.goto(`${origin}/people`);
  await page.click('summary:has-text("token")');
  await page.fill('form[action="/people/token"] [name=name]', 'Warehouse');
  await page.click('form[action="/people/token"] button.main');
  await page.click('a[href*="again=1"]');
  await page.click('text=Sign in with a passkey');
  await page.waitForSelector('.side', { state: 'attached' });
  expect(pathOf(page)).toBe('/people');
  expect((await sessions.of(account_id)).some(({ created_at }) => Date.parse(created_at) > Date.now() - 600_000)).toBe(
    true,
  );
});
