import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killServer, type ServerProcess, startServer } from '../../processes/server.ts';
import { oneBrowser } from './support/chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the reference in a browser', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-service-browser-'));
  let server: ServerProcess;
  const browser = oneBrowser();
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  beforeAll(async () => {
    server = await startServer(dataDir);
    page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !url.startsWith('data:')) elsewhere.push(url);
    });
    await page.goto(`${server.url}/docs`);
    await page.locator('h1').first().waitFor();
  });

  afterAll(async () => {
    await killServer(server, 'SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  const shot = async (name: string) => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  /** Opens an operation by the sidebar's link, which is in the URL. */
  const operation = async (tag: string, method: string, path: string) => {
    await page.goto(`${server.url}/docs#tag/${tag}/${method}${path}`);
    const section = page.locator(`section[id$="/tag/${tag}/${method}${path}"]`);
    await section.getByRole('button', { name: 'Test Request' }).waitFor();
    return section;
  };

  test('the reference lists every operation and webhook of the document', async () => {
    const document = (await (await fetch(`${server.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, object>;
      webhooks: Record<string, object>;
    };
    const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
    const operations = items.flatMap((item) => Object.keys(item));
    const closed = page.locator('aside button[aria-expanded=false]');
    while ((await closed.count()) > 0) await closed.first().click();
    const links = page
      .locator('aside')
      .locator(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((one) => `a[href*="/${one}/"]`).join(','));
    expect(await links.count()).toBe(operations.length);
    await shot('reference');
  });

  test('the reference is dark if the person’s system is, and follows a change', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBe('rgb(15, 15, 15)');
    await shot('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(255, 255, 255)');
  });

  test('the reference tries an operation with a key and shows the response', async () => {
    const library = await operation('library', 'GET', '/api/library');
    await library.getByRole('button', { name: 'Test Request' }).click();
    const client = page.getByRole('dialog');
    await client.getByPlaceholder('Token').fill('svc_not-a-key');
    await client.getByRole('button', { name: 'Send', exact: false }).first().click();
    await client.getByText('401').first().waitFor();
    await shot('tried');
    await page.keyboard.press('Escape');
  });

  test('the reference fills in values that can be sent unchanged and shows header values with angle brackets', async () => {
    const install = await operation('install', 'GET', '/api/products/{product}/install');
    await expect.poll(() => install.innerText()).toMatch(/products\/4\/install\?.*platform=darwin-arm64/);
    const record = await operation('device', 'POST', '/api/device/installs');
    await expect.poll(() => record.innerText()).toContain('"product_id": 4');
    const report = await operation('support', 'POST', '/api/support/reports');
    await expect.poll(() => report.innerText()).toContain('"kind": "app_report"');
    expect(await report.innerHTML()).toContain('Authorization: Bearer &lt;key&gt;');
  });

  test('the reference groups operations by host, has the key selected, and names every button', async () => {
    await operation('library', 'GET', '/api/library');
    for (const name of ['Account API', 'Design host', 'App feeds', 'Shop API'])
      await page.locator('aside').getByText(name, { exact: true }).first().waitFor();
    expect(await page.getByText('Selected Auth Type:').first().innerText()).toContain('apiKey');
    const unnamed = `${AXE};axe.run({ runOnly: ['button-name', 'link-name'] })`;
    expect(((await page.evaluate(unnamed)) as AxeResults).violations.flatMap(({ nodes }) => nodes)).toEqual([]);
  });

  test('an operation shows the ability that it needs, and a sample in each language before anything is sent', async () => {
    const check = await operation('license', 'POST', '/api/license/check');
    await check.getByText('device.entitlements', { exact: true }).first().waitFor();
    for (const [name, expected] of [
      ['Curl', 'curl http'],
      ['Fetch', 'fetch('],
      ['Requests', 'requests.post('],
      ['NewRequest', 'http.NewRequest('],
    ] as const) {
      await check.getByTestId('client-picker').click();
      await page.getByRole('option', { name, exact: true }).first().click();
      await expect.poll(() => check.innerText()).toContain(expected);
    }
    await shot('samples');
  });

  test('the reference loads nothing from other origins and violates none of its own policy', () => {
    expect(elsewhere).toEqual([]);
    // The browser itself reports the refused call above as an error.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
