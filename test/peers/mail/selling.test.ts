import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamodbClient } from '../../../adapters/dynamodb/client.ts';
import { killServer, type ServerProcess, startServer } from '../../processes/server.ts';
import { cli } from '../../support/cli.ts';
import { createTable } from '../../support/create-table.ts';
import { PageBrowser } from '../../support/page-browser.ts';
import { SIGNERS } from '../../support/payment-bodies.ts';
import { withDynamodbLocal } from '../../tools/costs/local.ts';

const { sign, secret } = SIGNERS.shop;
const EMAIL = 'ada@example.com';
const PRODUCT = 'hashcheck';

let dataDir: string;
let mailServer: SMTPServer;
let server: ServerProcess;
let received: string[] = [];

/** Runs with a server on the sample store, whose mails a real SMTP server receives. */
const withServer = async (environment: Record<string, string>, run: () => Promise<void>): Promise<void> => {
  received = [];
  server = await startServer(mkdtempSync(join(dataDir, 'store-')), {
    SAMPLE_STORE: 'always',
    SHOP_WEBHOOK_SECRET: secret,
    SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'shop@example.com',
    ...environment,
  });
  try {
    await run();
  } finally {
    await killServer(server, 'SIGTERM');
  }
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'account-service-selling-'));
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, _session, answer) => {
      received.push(Buffer.concat(await Array.fromAsync<Buffer>(stream)).toString());
      answer();
    },
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
});
afterAll(() => {
  mailServer.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Delivers an event as the shop's own system signs it. */
const deliver = async (type: string, id: string, at: Date, data: object): Promise<unknown> => {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const headers = { 'content-type': 'application/json', ...sign(body, Date.now(), secret, id) };
  const answer = await fetch(`${server.url}/webhooks/shop`, { method: 'POST', headers, body });
  return [answer.status, await answer.json()];
};

const BOUGHT = new Date(Date.now() - 60_000);
const facts = (more: object) => ({
  reference: 'web-1001',
  buyer: { email: EMAIL, name: 'Ada' },
  ordered_at: BOUGHT.toISOString(),
  paid_at: BOUGHT.toISOString(),
  currency: 'USD',
  total_cents: 1900,
  lines: [{ product: PRODUCT, total_cents: 1900 }],
  ...more,
});
const DONE = [200, { state: 'done' }];

/** A mail's text without soft line breaks. */
const textsOf = (subject: string): string[] =>
  received.filter((raw) => raw.includes(subject)).map((raw) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '='));

/** From the signed webhook by mail to a page, a download and a license check; then the refund revokes it. */
const sellAndRefund = async (): Promise<void> => {
  const paid = () => deliver('order', 'event-paid', BOUGHT, facts({}));
  expect(await Promise.all([paid(), paid(), paid(), paid()])).toEqual([DONE, DONE, DONE, DONE]);
  expect(await paid()).toEqual(DONE);
  const pending = facts({ status: 'pending', paid_at: null });
  expect(await deliver('order', 'event-pending', new Date(BOUGHT.getTime() - 1000), pending)).toEqual(DONE);
  await expect.poll(() => textsOf('Subject: Hashcheck: your order').length, { timeout: 20_000 }).toBe(1);

  const browser = new PageBrowser(server.account);
  expect((await browser.submit('/sign-in/mail', '/sign-in/mail', { email: EMAIL })).status).toBe(303);
  await expect.poll(() => textsOf('Subject: Your sign-in link').length, { timeout: 20_000 }).toBe(1);
  const link = new URL(/http\S+code=[\w-]+/.exec(textsOf('Subject: Your sign-in link')[0] ?? '')?.[0] ?? '');
  expect((await browser.submit(link.pathname + link.search, '/sign-in/link', {})).status).toBe(303);
  const library = (await browser.get('/library')).body;
  expect(library).toContain('Hashcheck');

  const [key = ''] = /lic_\w+/.exec(textsOf('Subject: Hashcheck: your order')[0] ?? '') ?? [];
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const plan = await fetch(`${server.url}/api/products/4/install?platform=linux-amd64`, { headers });
  const { data } = (await plan.json()) as { data: { download_url: string; sha256: string } };
  const file = await fetch(data.download_url);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')).toBe(data.sha256);

  const check = async () => {
    const body = JSON.stringify({ product_id: 4, device_id: 'ada-laptop' });
    const answer = await fetch(`${server.url}/api/license/check`, { method: 'POST', headers, body });
    return ((await answer.json()) as { code?: string }).code;
  };
  expect(await check()).toBe('valid');
  const now = new Date();
  const refund = { reference: 'refund-1', order_reference: 'web-1001', refunded_at: now.toISOString() };
  expect(await deliver('refund', 'event-refund', now, refund)).toEqual(DONE);
  expect(await check()).toBe('entitlement_revoked');
  await expect.poll(() => textsOf('Subject: Refund for your order').length, { timeout: 20_000 }).toBe(1);
};

const TITLE =
  'a sale goes from a signed webhook by mail to a page, a download and a license check, and a refund takes it back';

test(`${TITLE} (SQLite)`, () => withServer({ STORE: 'sqlite' }, sellAndRefund));

test(`${TITLE} (DynamoDB Local)`, { timeout: 120_000 }, () =>
  withDynamodbLocal(async () => {
    await createTable(dynamodbClient(), 'selling');
    const environment = { STORE: 'dynamodb', TABLE_NAME: 'selling', OBJECTS: 'filesystem' };
    const operator = { ...(process.env as Record<string, string>), ...environment, DATA_DIR: join(dataDir, 'files') };
    for (const use of ['license', 'artifact', 'policy'])
      expect(await cli(['signing-key', 'create', '--use', use], operator)).toMatchObject({ code: 0 });
    expect(await cli(['import', 'examples/store/store.json'], operator)).toMatchObject({ code: 0 });
    await withServer({ ...environment, DATA_DIR: operator.DATA_DIR, SAMPLE_STORE: 'never' }, sellAndRefund);
  }),
);
