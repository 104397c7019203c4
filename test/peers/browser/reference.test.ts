import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killServer, type ServerProcess, startServer } from '../../processes/server.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];

describe('the reference in a browser', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-service-browser-'));
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  beforeAll(async () => {
    server = await startServer(dataDir);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !url.startsWith('data:')) elsewhere.push(url);
    });
    await page.goto(`${server.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await killServer(server, 'SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the reference lists every operation of the document', async () => {
    const document = (await (await fetch(`${server.url}/docs/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: join(process.env['SCREENSHOTS'], 'reference.png') });
  });

  test('the reference is dark where the person’s system is, and follows a change of it', async () => {
    const color = () => page.evaluate("getComputedStyle(document.querySelector('#reference .swagger-ui')).color");
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(color).toBe('rgb(228, 230, 230)');
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: join(process.env['SCREENSHOTS'], 'dark.png') });
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(color).toBe('rgb(59, 65, 81)');
  });

  test('the reference tries an operation with a key and shows the response', async () => {
    await page.locator('.auth-wrapper .authorize').first().click();
    // The dialog has one form for each way to identify a caller.
    const form = page.locator('.auth-container').filter({ hasText: 'apiKey (http, Bearer)' });
    await form.locator('input').fill('svc_not-a-key');
    await form.locator('button[type=submit]').click();
    await form.locator('.btn-done').click();
    await page.locator('#operations-Library-getLibrary .opblock-summary-control').click();
    await page.locator('#operations-Library-getLibrary button.execute').click();
    const answer = page
      .locator('#operations-Library-getLibrary .live-responses-table tbody .response-col_status')
      .first();
    await answer.waitFor();
    expect(await answer.textContent()).toContain('401');
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: join(process.env['SCREENSHOTS'], 'tried.png') });
  });

  test('the reference fills in values that can be sent unchanged and shows header values with angle brackets', async () => {
    const install = page.locator('#operations-Install-planInstall');
    await install.locator('.opblock-summary-control').click();
    expect(await install.locator('tr[data-param-name=product] input').inputValue()).toBe('4');
    expect(await install.locator('tr[data-param-name=platform] select').inputValue()).toBe('darwin-arm64');
    const record = page.locator('#operations-Device-recordInstall');
    await record.locator('.opblock-summary-control').click();
    expect(JSON.parse(await record.locator('textarea').inputValue())).toMatchObject({ product_id: 4 });
    const report = page.locator('#operations-Support-reportProblem');
    await report.locator('.opblock-summary-control').click();
    expect(JSON.parse(await report.locator('textarea').inputValue())).toMatchObject({ kind: 'app_report' });
    expect(await report.locator('.responses-table').innerText()).toContain('Authorization: Bearer <key>.');
  });

  test('the reference loads nothing from other origins and breaks no rule of its own policy', () => {
    expect(elsewhere).toEqual([]);
    // The browser itself reports the refused call above as an error.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
