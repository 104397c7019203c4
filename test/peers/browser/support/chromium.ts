import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

/* The browser for the tests of a file. */

/** The headless shell shows the same pages as the whole Chromium for less than half of its work. */
const [CHROMIUM = '/usr/bin/chromium'] = [process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell'].filter(
  (program): program is string => program !== undefined && existsSync(program),
);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page in a browser without cookies, which is closed after the test. */
export type Visitor = {
  readonly page: Page;
  /** The errors in the browser's console, such as violations of a page's own policy. */
  readonly complaints: readonly string[];
};

/** Starts a browser for the tests of this file. Returns a function that returns it. */
export const oneBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  }, 60_000);
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser has not started.');
    return browser;
  };
};

/** Starts a browser for the tests of this file. Returns a function that opens a page with its own cookies. */
export const aChromium = (): ((options?: BrowserContextOptions) => Promise<Visitor>) => {
  const browser = oneBrowser();
  return async (options = {}) => {
    const context = await browser().newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    return { page, complaints };
  };
};

/** The text of the first element that a selector matches. */
export const textOf = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();

/** Waits until an element has this text, because a click does not always wait for the next page. */
export const shows = (page: Page, selector: string, text: string): Promise<void> =>
  expect.poll(() => textOf(page, selector), { timeout: 20_000 }).toBe(text);

/** The path of a page with its query. */
export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

/** The faults that axe finds in a page. */
export const violationsOf = async (page: Page): Promise<AxeResults['violations']> =>
  ((await page.evaluate(`${AXE};axe.run({ resultTypes: ['violations'] })`)) as AxeResults).violations;

/** Whether a page is wider than the screen. */
export const widthFaultsOf = async (page: Page, name: string): Promise<string[]> =>
  (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) ? [`${name} is too wide`] : [];

/** The serious and critical faults that axe finds in a page, and whether it is wider than the screen. */
export const faultsOf = async (page: Page, name: string): Promise<string[]> => {
  const grave = (await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return [...grave.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`), ...(await widthFaultsOf(page, name))];
};

/** Saves a screenshot of the whole page in the folder in SCREENSHOTS, if it is set. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};
