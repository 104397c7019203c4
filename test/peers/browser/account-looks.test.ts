import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../adapters/store/table.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { EMAIL } from '../../support/account-pages.ts';
import {
  type AccountHost,
  aLink,
  anAuthorization,
  aRefusedDevice,
  aWaitingDevice,
  openAccountHost,
} from './account-host.ts';
import { oneBrowser, picture, violationsOf, widthFaultsOf } from './support/chromium.ts';

const browser = oneBrowser();

/** Every page by name, with the steps that lead to it. The visitors' pages come last. */
const tourOf = async (host: AccountHost, page: Page): Promise<Record<string, () => Promise<unknown>>> => {
  const go = (path: string) => () => page.goto(host.url + path);
  const [product, link, consent] = [await aRefusedDevice(host), await aLink(host, 1), await anAuthorization(host)];
  const { user_code } = await aWaitingDevice(host);
  const fillKey = async (name: string): Promise<void> => {
    await page.goto(`${host.url}/keys`);
    await page.fill('#name', name);
    await page.click('form.stack button.main');
  };
  return {
    library: go('/library'),
    setup: async () => {
      await page.goto(`${host.url}/library/1`);
      await page.check('input[name=step] >> nth=1');
      await page.click('form[action="/library/setup"] button');
      await page.waitForURL(/done=saved/);
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    },
    manual: go('/library/1/guides/manual'),
    guide: go('/library/1/guides/usage'),
    devices: go('/devices'),
    product: go(product),
    question: async () => {
      await page.goto(host.url + product);
      await page.click('main summary >> nth=0');
    },
    'key-faults': () => fillKey(' '),
    'key-new': () => fillKey('Build server'),
    keys: go('/keys'),
    apps: go('/apps'),
    support: go('/support'),
    ticket: async () => {
      await page.goto(`${host.url}/support`);
      await page.fill('#summary', 'The clock stops');
      await page.fill('#detail', 'After a minute.');
      await page.click('main form button.main');
      await page.click('main summary >> nth=0');
    },
    security: go('/security'),
    menu: async () => {
      await page.goto(`${host.url}/security`);
      await page.click('.who > button');
    },
    password: go('/security/password?first=1'),
    device: go('/device'),
    'device-question': async () => {
      await page.goto(`${host.url}/device?user_code=${user_code}`);
      await page.click('form.stack button.main');
    },
    'device-done': go('/device/done?decision=approve'),
    consent: go(consent.path),
    'not-found': go('/nothing'),
    unavailable: go('/library?unavailable'),
    fault: go('/library?fault'),
    'link-unusable': go('/sign-in/link?code=x'),
    link: go(link),
    'sign-in': async () => {
      await page.context().clearCookies();
      await page.goto(`${host.url}/sign-in`);
    },
    'sign-in-wrong': async () => {
      await page.fill('#email', EMAIL);
      await page.fill('#password', 'wrong');
      await page.click('form.stack button');
    },
  };
};

/** The words of a page that are short enough for a line but broken over two: a text may only break where it must. */
const BROKEN_WORDS = `(() => {
  const found = [];
  for (const one of document.querySelectorAll('details')) one.open = true;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('.unseen, .skip, code, textarea, option')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}.,]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (word.length <= 24 && lines.size > 1) found.push('the word ' + word + ' is broken');
    }
  }
  return found;
})()`;

// axe sees each color scheme and each layout once. German has the longest words.
test.each([
  ['en-GB', 'light', 1280, true],
  ['ko-KR', 'dark', 360, true],
  ['de-DE', 'light', 320, false],
  ['de-DE', 'light', 1280, false],
] as const)(
  'no page is wider than the screen, no word is broken, and axe finds no fault (%s, %s, %d px, axe: %s)',
  async (locale, colorScheme, width, byAxe) => {
    let fault: Error | undefined;
    const host = await openAccountHost(browser(), (parts) => ({
      ...parts,
      listPurchases: async (input) => {
        if (fault) throw fault;
        return parts.listPurchases(input);
      },
    }));
    const page = await host.signedIn({ locale, colorScheme, viewport: { width, height: 844 } });
    const found: string[] = [];
    for (const [name, visit] of Object.entries(await tourOf(host, page))) {
      fault = { unavailable: new StoreUnavailable('down'), fault: new Error('broken') }[name];
      await visit();
      const violations = byAxe ? await violationsOf(page) : [];
      found.push(...violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`));
      found.push(...(await widthFaultsOf(page, name)));
      await picture(page, `${name}.${locale}.${colorScheme}.${width}`);
      found.push(...(await page.evaluate<string[]>(BROKEN_WORDS)).map((fault) => `${name}: ${fault}`));
    }
    const { complaints, elsewhere } = host;
    await host.close();
    expect(found).toEqual([]);
    // The browser itself reports each error page.
    expect(complaints.filter((line) => !/status of [45]/.test(line))).toEqual([]);
    expect(elsewhere).toEqual([]);
  },
  240_000,
);

/** The links of a page that are lower than WCAG 2.5.8 asks of a target that stands alone. */
const LOW_LINKS = `[...document.querySelectorAll('main a')].filter((one) => {
  const { height, width } = one.getBoundingClientRect();
  return width > 1 && height < 24 && !one.closest('.notice, .note, .warning');
}).map((one) => one.outerHTML)`;

test('the sections are one line on a phone in every language, each in the row or the menu, and links are tall enough', async () => {
  const host = await openAccountHost(browser());
  await aRefusedDevice(host);
  const found: string[] = [];
  for (const width of [390, 1280]) {
    const page = await host.signedIn({ viewport: { width, height: 844 } });
    for (const language of LANGUAGES)
      for (const path of ['/security', '/devices', '/apps', '/keys', '/library']) {
        await page.goto(`${host.url}${path}?lang=${language}`);
        const row = page.locator('.sections ul');
        const isWide = await row.evaluate('(row) => row.scrollWidth > row.clientWidth || row.clientHeight > 60');
        const seen = await page.locator('.sections a:visible').count();
        await page.click('.who > button');
        const all = seen + (await page.locator('.menu a:visible').count());
        if (isWide || all !== 7) found.push(`${path} in ${language} at ${width} px: ${all} sections`);
        found.push(...(await page.evaluate<string[]>(LOW_LINKS)).map((link) => `${path} at ${width} px: ${link}`));
      }
  }
  await host.close();
  expect(found).toEqual([]);
}, 240_000);
