import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { en, type Messages } from '../../../adapters/web/account/messages/en.ts';
import { ko } from '../../../adapters/web/account/messages/ko.ts';
import { DEVICE_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import { aKey, DEMO } from '../../sign-in/a-server.ts';
import { openSignedIn } from './support/account-walk.ts';
import { anAgent, BACK_AT_AGENT } from './support/agent.ts';
import { aChromium, faultsOf, picture, shows } from './support/chromium.ts';
import { aDeviceClient } from './support/device-client.ts';
import { aShopProvider } from './support/shop-provider.ts';

/* The pages of sign-in with all that the whole service puts on them, for people who see little or nothing of them. */

const aVisitor = aChromium();

const LOOKS = [
  ['en-GB', 'light', 390],
  ['ko-KR', 'dark', 390],
  ['en-GB', 'dark', 1280],
  ['ko-KR', 'light', 1280],
] as const;

const MANY = 'mcp.read products.read orders.read subscriptions.read support.report setup-progress.write';

type Step = { readonly name: string; readonly heading: string; readonly visit: () => Promise<unknown> };

/** The pages with their headings, and what leads to each of them from the one before. */
const tour = async (page: Page, m: Messages): Promise<Step[]> => {
  const { running, person } = await aShopProvider();
  const { api, account } = running.urls;
  const agent = await anAgent(new URL(`${api}/api/mcp`), 'Test notebook');
  const device = await aDeviceClient(account, 'laptop-1');
  const authorization = `Bearer ${await aKey(running, DEVICE_KEY_ABILITIES)}`;
  for (const device_id of ['1f6b8d1c-52a7-4c0e-9a57-8b6f0d6c2f11', 'studio', 'old-laptop']) {
    const body = JSON.stringify({ product_id: 4, device_id });
    const headers = { authorization, 'content-type': 'application/json' };
    await fetch(`${api}/api/license/check`, { method: 'POST', headers, body });
  }
  const consent = async () => openSignedIn(page, await agent.ask(MANY));
  const apps = async () => {
    await page.click('button[value=allow]');
    await page.getByText(BACK_AT_AGENT).waitFor();
    await page.goto(`${account}/apps`);
  };
  const approval = async () => {
    await page.goto(device.codes.verification_uri_complete ?? '');
    await page.click('form.stack button');
  };
  const unverified = async () => {
    await page.context().clearCookies();
    person.is = { sub: 'new', email: DEMO.email, email_verified: false };
    await page.goto(`${account}/sign-in`);
    await page.click('a[href^="/sign-in/upstream"]');
    await page.locator('[role=alert]').waitFor();
  };
  const hashcheck = m === en ? 'Hashcheck' : '해시체크';
  return [
    { name: 'consent', heading: m.consent.title('Test notebook'), visit: consent },
    { name: 'apps', heading: m.apps.title, visit: apps },
    { name: 'device-approval', heading: m.device.confirmTitle, visit: approval },
    { name: 'library', heading: m.library.title, visit: () => page.goto(`${account}/library`) },
    { name: 'devices', heading: m.devices.titleOf(hashcheck), visit: () => page.goto(`${account}/devices?product=4`) },
    { name: 'upstream-error', heading: m.signIn.title, visit: unverified },
  ];
};

test.each(LOOKS)('axe finds no grave fault in a page of sign-in (%s, %s, %d px)', async (locale, scheme, width) => {
  const { page } = await aVisitor({ locale, colorScheme: scheme, viewport: { width, height: 844 } });
  const found: string[] = [];
  for (const { name, heading, visit } of await tour(page, locale === 'ko-KR' ? ko : en)) {
    await visit();
    await shows(page, 'h1', heading);
    found.push(...(await faultsOf(page, name)));
    await picture(page, `${name}.${locale}.${scheme}.${width}`);
  }
  expect(found).toEqual([]);
});
