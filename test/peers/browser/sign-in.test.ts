import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { en } from '../../../adapters/web/account/messages/en.ts';
import { MESSAGES } from '../../../adapters/web/account/messages/messages.ts';
import { REQUIRED_PERMISSION } from '../../../adapters/web/account/views/consent.ts';
import { DEVICE_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import type { Running } from '../../../runtimes/express/start.ts';
import { aKey, aServer, DEMO, OTHER } from '../../sign-in/a-server.ts';
import { openSignedIn, signInHere } from './support/account-walk.ts';
import { anAgent, BACK_AT_AGENT } from './support/agent.ts';
import { aChromium, faultsOf, pathOf, shows, textOf } from './support/chromium.ts';
import { aDeviceClient } from './support/device-client.ts';
import { aShopProvider, SHOP } from './support/shop-provider.ts';

/* People in a browser, and the real programs that they authorize, on the whole service. */

const aVisitor = aChromium();

const mcpOf = ({ urls }: Running): URL => new URL(`${urls.api}/api/mcp`);

const WAYS: readonly { readonly locale: Locale; readonly language: string; readonly javaScriptEnabled: boolean }[] = [
  { locale: 'en', language: 'en-GB', javaScriptEnabled: true },
  { locale: 'ko', language: 'ko-KR', javaScriptEnabled: false },
];

const ASKED = 'mcp.read products.read orders.read';

const decide = async (page: Page, answer: string): Promise<void> => {
  await page.click(`button:text-is("${answer}")`);
  await page.getByText(BACK_AT_AGENT).waitFor();
};

describe.each(WAYS)('an agent ($locale, script: $javaScriptEnabled)', ({ locale, language, javaScriptEnabled }) => {
  const m = MESSAGES[locale];
  const options = { locale: language, javaScriptEnabled };

  test('an agent is approved with the permissions that its owner left it, until that owner disconnects it', async () => {
    const running = await aServer();
    const agent = await anAgent(mcpOf(running), 'Test notebook');
    const { page, complaints } = await aVisitor(options);
    await openSignedIn(page, await agent.ask(ASKED));

    expect(pathOf(page)).toMatch(/^\/interaction\/[\w-]+$/);
    await shows(page, 'h1', m.consent.asksHere);
    const facts = await textOf(page, '.facts');
    expect(facts).toContain('Test notebook');
    expect(facts).toContain(m.consent.claimed);
    expect(facts).toContain('127.0.0.1');
    expect(facts).toContain(DEMO.email);
    for (const permission of ['mcp.read', 'products.read', 'orders.read'] as const) {
      expect(await textOf(page, `label:has([value="${permission}"])`)).toContain(m.abilities[permission]);
    }
    expect(await page.isDisabled(`[value="${REQUIRED_PERMISSION}"]`)).toBe(true);
    await page.uncheck('[value="orders.read"]');
    await decide(page, m.consent.allow);

    const [answer] = agent.answers;
    expect(answer?.get('code')).toBeTruthy();
    expect(answer?.get('state')).toBe(agent.memory.state());
    expect(answer?.get('iss')).toBe(running.urls.account);
    await agent.finish();
    expect(agent.memory.kept?.scope?.split(' ').toSorted()).toEqual(['mcp.read', 'products.read']);
    const client = await agent.connect();
    const library = await client.callTool({ name: 'list_library', arguments: {} });
    expect(library.structuredContent).toMatchObject({ items: expect.any(Array) });
    await expect(client.callTool({ name: 'list_orders', arguments: {} })).rejects.toThrow(/403/);

    await page.goto(`${running.urls.account}/apps`);
    const card = await textOf(page, '.card');
    expect(card).toContain('Test notebook');
    expect(card).toContain(m.abilities['products.read']);
    expect(card).not.toContain(m.abilities['orders.read']);
    await page.click('main summary');
    await page.click(`text=${m.apps.confirmButton}`);
    await shows(page, '[role=status]', m.apps.disconnected);
    expect(await page.locator('.cards .card').count()).toBe(0);
    agent.memory.opened = undefined;
    await expect(client.callTool({ name: 'list_library', arguments: {} })).rejects.toThrow(/unauthorized/i);
    expect(agent.memory.opened, 'the agent has to ask its owner again').toBeDefined();
    expect(complaints).toEqual([]);
  });
});

describe('another agent', () => {
  test('a new agent is asked about though another one was approved, and learns that it was denied', async () => {
    const running = await aServer();
    const [first, second] = [await anAgent(mcpOf(running), 'First'), await anAgent(mcpOf(running), 'Second')];
    const { page, complaints } = await aVisitor();
    await openSignedIn(page, await first.ask(ASKED));
    await decide(page, en.consent.allow);

    await page.goto(await second.ask(ASKED));
    await shows(page, 'h1', en.consent.asksHere);
    expect(await textOf(page, '.facts')).toContain('Second');
    expect(second.answers).toEqual([]);
    await decide(page, en.consent.deny);
    const [denied] = second.answers;
    expect(denied?.get('error')).toBe('access_denied');
    expect(denied?.get('code')).toBeNull();
    expect(denied?.get('state')).toBe(second.memory.state());
    expect(denied?.get('iss')).toBe(running.urls.account);

    await page.goto(await first.ask(ASKED));
    // The person is asked about the same client each time.
    await shows(page, 'h1', en.consent.asksHere);
    expect(await textOf(page, '.facts')).toContain('First');
    await page.goto(`${running.urls.account}/apps`);
    expect(await page.locator('.cards .card h2').allInnerTexts()).toEqual(['First']);
    expect(complaints).toEqual([]);
  });

  test('an agent that asked in another browser is not approved by this one', async () => {
    const running = await aServer();
    const agent = await anAgent(mcpOf(running), 'Test notebook');
    const [{ page }, { page: another }] = [await aVisitor(), await aVisitor()];
    await openSignedIn(page, await agent.ask(ASKED));
    await openSignedIn(another, running.urls.account + pathOf(page));
    await shows(another, 'h1', en.consent.endedTitle);
  });
});

describe('the shop’s own sign-in', () => {
  test('the shop’s own sign-in returns a person, signed in, to the requested page', async () => {
    const { running, person } = await aShopProvider();
    person.is = { sub: 'demo', email: DEMO.email, email_verified: true };
    const { page, complaints } = await aVisitor();
    await page.goto(`${running.urls.account}/devices?product=4`);
    await shows(page, 'h1', en.signIn.title);
    await page.click(`text=${en.signIn.upstream(SHOP)}`);
    await page.waitForURL(`${running.urls.account}/devices?product=4`);
    await shows(page, 'h1', en.devices.titleOf('Hashcheck'));
    expect(await page.locator('.menu').textContent()).toContain(DEMO.email);
    expect(complaints).toEqual([]);
  });

  test('the shop’s own sign-in approves an agent whose owner had to sign in first', async () => {
    const { running, person } = await aShopProvider();
    person.is = { sub: 'new', email: 'new@example.com', email_verified: true };
    const agent = await anAgent(mcpOf(running), 'Test notebook');
    const { page, complaints } = await aVisitor();
    await page.goto(await agent.ask(ASKED));
    await page.click(`text=${en.signIn.upstream(SHOP)}`);
    await page.click(`button:text-is("${en.consent.allow}")`);
    await page.getByText(BACK_AT_AGENT).waitFor();
    await agent.finish();
    const library = await (await agent.connect()).callTool({ name: 'list_library', arguments: {} });
    expect(library.structuredContent, 'a new customer owns nothing').toMatchObject({ items: [] });
    expect(complaints).toEqual([]);
  });

  test.each(
    WAYS,
  )('the shop’s own sign-in explains an unverified email address and a refusal ($locale)', async (way) => {
    const { running, person } = await aShopProvider();
    const m = MESSAGES[way.locale];
    const { page } = await aVisitor({ locale: way.language, javaScriptEnabled: way.javaScriptEnabled });
    await page.goto(`${running.urls.account}/library`);
    await page.click(`text=${m.signIn.upstream(SHOP)}`);
    await shows(page, '[role=alert]', m.signIn.upstream_refused(SHOP));
    person.is = { sub: 'new', email: DEMO.email, email_verified: false };
    await page.click(`text=${m.signIn.upstream(SHOP)}`);
    await shows(page, '[role=alert]', m.signIn.email_not_verified(SHOP));
    if (way.javaScriptEnabled) expect(await faultsOf(page, 'sign-in')).toEqual([]);
    await page.goto(`${running.urls.account}/library`);
    await shows(page, 'h1', m.signIn.title);
  });
});

describe('a device', () => {
  test.each([
    ['the whole address', 'en', true],
    ['a typed code', 'ko', false],
  ] as const)('an agent signs in by %s (%s, script: %s)', async (by, locale, javaScriptEnabled) => {
    const running = await aServer();
    const m = MESSAGES[locale];
    const device = await aDeviceClient(running.urls.account, 'laptop-1');
    const polled = device.poll();
    const { page, complaints } = await aVisitor({ locale: locale === 'ko' ? 'ko-KR' : 'en-GB', javaScriptEnabled });
    const { user_code, verification_uri, verification_uri_complete } = device.codes;
    if (by === 'a typed code') {
      await openSignedIn(page, verification_uri);
      await page.fill('#user_code', user_code.toLowerCase().replace('-', ' '));
    } else {
      await openSignedIn(page, verification_uri_complete ?? '');
      expect(await page.inputValue('#user_code')).toBe(user_code);
    }
    await page.click('form.stack button');
    await shows(page, 'h1', m.device.confirmTitle);
    expect(await textOf(page, '.facts')).toContain('laptop-1');
    await page.fill('#device_name', '작업실 Laptop');
    await page.click(`button:text-is("${m.device.approve}")`);
    await shows(page, 'h1', m.device.approvedTitle);

    const { access_token: key } = await polled;
    const headers = { authorization: `Bearer ${key}` };
    const entitlements = await fetch(`${running.urls.api}/api/device/entitlements`, { headers });
    expect(entitlements.status).toBe(200);
    await page.click(`text=${m.library.manageDevices}`);
    expect(await page.locator('.machine', { hasText: '작업실 Laptop' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

test('the owner of a fourth device follows manage_url, releases another one, and the fourth passes, in Korean and without a script', async () => {
  const { ko } = MESSAGES;
  const running = await aServer();
  const headers = {
    authorization: `Bearer ${await aKey(running, DEVICE_KEY_ABILITIES)}`,
    'content-type': 'application/json',
  };
  const check = async (device_id: string) => {
    const body = JSON.stringify({ product_id: 4, device_id });
    const answer = await fetch(`${running.urls.api}/api/license/check`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as { manage_url?: string } };
  };
  for (const device of ['one', 'two', 'three']) expect((await check(device)).status).toBe(200);
  const refused = await check('four');
  expect(refused.status).toBe(409);
  const { page, complaints } = await aVisitor({ locale: 'ko-KR', javaScriptEnabled: false });
  await openSignedIn(page, refused.body.manage_url ?? '');
  expect(page.url()).toBe(refused.body.manage_url);
  await shows(page, 'h1', ko.devices.titleOf('해시체크'));
  await shows(page, '.count', ko.devices.used(3, 3));
  const second = page.locator('.machine', { hasText: 'two' });
  await second.locator('summary', { hasText: ko.devices.release }).click();
  await second.locator(`button:text-is("${ko.devices.confirmButton}")`).click();
  await shows(page, '[role=status]', ko.devices.freed(ko.devices.unnamed('two'), '해시체크', ko.devices.used(2, 3)));
  expect((await check('four')).status).toBe(200);
  expect((await check('two')).status).toBe(409);
  expect(complaints).toEqual([]);
});

test('a download from the purchases page is the file that the install plan names', async () => {
  const running = await aServer();
  const headers = { authorization: `Bearer ${await aKey(running)}` };
  const plan = await fetch(`${running.urls.api}/api/products/4/install?platform=linux-amd64`, { headers });
  const { data } = (await plan.json()) as { data: { sha256: string } };
  const { page } = await aVisitor({ acceptDownloads: true });
  await openSignedIn(page, `${running.urls.account}/library`);
  const card = page.locator('.card', { has: page.locator('h2', { hasText: 'Hashcheck' }) });
  const downloading = page.waitForEvent('download');
  await card.getByText(en.library.download).first().click();
  const file = readFileSync(await (await downloading).path());
  expect(createHash('sha256').update(file).digest('hex')).toBe(data.sha256);
});

test('an agent is approved by the account that is signed in at that moment', async () => {
  const running = await aServer();
  const agent = await anAgent(mcpOf(running), 'Test notebook');
  const { page } = await aVisitor();
  await openSignedIn(page, await agent.ask(ASKED));
  const consent = page.url();
  await page.click(`text=${en.consent.switchAccount}`);
  await shows(page, 'h1', en.signIn.title);
  await signInHere(page, OTHER);
  expect(page.url()).toBe(consent);
  expect(await textOf(page, '.facts')).toContain(OTHER.email);
  await page.click(`button:text-is("${en.consent.allow}")`);
  await page.getByText(BACK_AT_AGENT).waitFor();
  expect(await running.service.get('listConnectedApps')(DEMO.id)).toEqual([]);
  expect(await running.service.get('listConnectedApps')(OTHER.id)).toHaveLength(1);
});

test('a request for approval stays the same in another language', async () => {
  const running = await aServer();
  const agent = await anAgent(mcpOf(running), 'Test notebook');
  const { codes } = await aDeviceClient(running.urls.account, 'laptop-1');
  const { page } = await aVisitor();
  await openSignedIn(page, await agent.ask(ASKED));
  await page.click('.foot [lang=ko]');
  await shows(page, 'h1', MESSAGES.ko.consent.asksHere);

  await page.goto(codes.verification_uri_complete ?? '');
  await page.click('form.stack button');
  await shows(page, 'h1', MESSAGES.ko.device.confirmTitle);
  await page.click('.foot [lang=en]');
  await shows(page, 'h1', en.device.title);
  expect(await page.inputValue('#user_code')).toBe(codes.user_code);
});
