import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEVICE_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import { aKey, DEMO } from '../sign-in/a-server.ts';
import { openSignedIn } from './support/account-walk.ts';
import { anAgent, BACK_AT_AGENT } from './support/agent.ts';
import { aChromium, faultsOf, picture } from './support/chromium.ts';
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

/** Every page, by what leads to it. Each step begins where the last one ended. */
const tour = async (page: Page): Promise<Record<string, () => Promise<unknown>>> => {
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
  return {
    consent: async () => openSignedIn(page, await agent.ask(MANY)),
    apps: async () => {
      await page.click('button[value=allow]');
      await page.getByText(BACK_AT_AGENT).waitFor();
      await page.goto(`${account}/apps`);
    },
    'device-approval': async () => {
      await page.goto(device.codes.verification_uri_complete ?? '');
      await page.click('form.stack button');
    },
    library: () => page.goto(`${account}/library`),
    devices: () => page.goto(`${account}/devices?product=4`),
    'upstream-error': async () => {
      await page.context().clearCookies();
      person.is = { sub: 'new', email: DEMO.email, email_verified: false };
      await page.goto(`${account}/sign-in`);
      await page.click('a[href^="/sign-in/upstream"]');
      await page.locator('[role=alert]').waitFor();
    },
  };
};

test.each(
  LOOKS,
)('no page of sign-in has a grave fault that axe finds (%s, %s, %d px)', async (locale, scheme, width) => {
  const { page } = await aVisitor({ locale, colorScheme: scheme, viewport: { width, height: 844 } });
  const found: string[] = [];
  for (const [name, visit] of Object.entries(await tour(page))) {
    await visit();
    found.push(...(await faultsOf(page, name)));
    await picture(page, `${name}.${locale}.${scheme}.${width}`);
  }
  expect(found).toEqual([]);
});
