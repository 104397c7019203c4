import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killServer, startServer } from '../processes/server.ts';
import { PageBrowser } from '../support/page-browser.ts';
import { SIGNERS } from '../support/payment-bodies.ts';

const SHOP = join(import.meta.dirname, '..', '..', 'examples', 'shop-page.ts');

test('a buyer of the example shop presses the button and pays, and the service records the sale', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-service-shop-'));
  const { secret } = SIGNERS.stripe;
  const server = await startServer(dataDir, { SAMPLE_STORE: 'always', STRIPE_WEBHOOK_SECRET: secret });
  const env = { ...process.env, API_URL: server.url, STRIPE_WEBHOOK_SECRET: secret, PORT: '0' };
  const shop = spawn(process.execPath, [SHOP], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  shop.stdout.on('data', (part) => (printed += String(part)));
  try {
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/http:\S+/);
    const browser = new PageBrowser(/http:\S+/.exec(printed)?.[0] ?? '');
    expect((await browser.get('/')).body).toContain('Buy for $19.00');
    const checkout = (await browser.submit('/', '/buy', {})).location ?? '';
    expect((await browser.submit(checkout, checkout, {})).status).toBe(400);
    const paid = await browser.submit(checkout, checkout, { email: 'ada@example.com' });
    expect([paid.status, paid.location]).toEqual([303, '/thanks']);
    expect(printed).toContain('200 {"state":"done"}');
    expect((await browser.get(checkout)).status).toBe(404);
  } finally {
    shop.kill();
    await killServer(server, 'SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
});
