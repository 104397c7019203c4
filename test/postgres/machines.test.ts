import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDevice, openService, type Prepared, prepareDataDir } from '../processes/data-dir.ts';
import { killServer, type ServerProcess, spawnServer, startServer } from '../processes/server.ts';
import { SIGNERS } from '../support/payment-bodies.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

/* Four machines with their own folders and the same keys, on one database. */

const MACHINES = 4;
const LIMIT = 40;
const SALES = 40;
const { sign, secret } = SIGNERS.shop;

let postgres: PostgresServer;
let prepared: Prepared;
let env: Record<string, string>;
let folder: string;
let servers: ServerProcess[] = [];
const at = (n: number | string) => join(folder, `${n}`);
const url = (n: number): string => (servers[n % MACHINES] as ServerProcess).url;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('shop');
  env = {
    STORE: 'postgres',
    DATABASE_URL: postgres.url('shop'),
    MAIL: 'outbox',
    SHOP_WEBHOOK_SECRET: secret,
    LOG_LEVEL: 'silent',
  };
  folder = mkdtempSync(join(tmpdir(), 'machines-'));
  prepared = await prepareDataDir(LIMIT, env);
  for (let n = 0; n < MACHINES; n++) cpSync(join(prepared.dataDir, 'keys'), join(at(n), 'keys'), { recursive: true });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => killServer(server, 'SIGKILL')));
  await postgres.stop();
  prepared.remove();
  rmSync(folder, { recursive: true });
});

const startAll = async (more: Record<string, string> = {}): Promise<void> => {
  const started = Array.from({ length: MACHINES }, (_, n) => startServer(at(n), { ...env, ...more }));
  servers = await Promise.all(started);
};

const devicesKept = async (): Promise<string[]> => {
  const { service, close } = await openService(prepared.dataDir, env);
  const page = await service.get('devices').page(1, 1, { limit: 100, after: null });
  await close();
  return page.devices.map(({ device_id }) => device_id).sort();
};

test('a limit of 30 requests a minute allows the first 30 over four machines, and none of the next 90', async () => {
  await startAll({ RATE_LIMIT_PER_MINUTE: '30' });
  const second = (Date.now() % 60_000) / 1000;
  if (second > 45) await sleep((60.5 - second) * 1000);
  const headers = { Authorization: `Bearer ${prepared.key}` };
  const ask = (requests: number) =>
    Promise.all(
      Array.from({ length: requests }, (_, n) => fetch(`${url(n)}/api/library`, { headers }).then((one) => one.status)),
    );
  expect(await ask(30)).toEqual(Array(30).fill(200));
  expect(await ask(90)).toEqual(Array(90).fill(429));
  await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
}, 180_000);

test('four machines give exactly 40 slots, through two crashes of PostgreSQL and the death of a machine', async () => {
  await startAll();
  const acknowledged = new Set<string>();
  let refused = 0;
  /** Asks until there is a decisive answer. */
  const take = async (n: number): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      const reply = await checkDevice(url(n + attempt), prepared.key, `device-${n}`).catch(() => undefined);
      if (reply?.status === 200) return void acknowledged.add(`device-${n}`);
      if (reply?.status === 409) return void refused++;
      if (reply) expect(reply.status).toBe(503);
      await sleep(50);
    }
  };
  const crash = async (when: number): Promise<void> => {
    while (acknowledged.size < when) await sleep(1);
    await postgres.crash();
    await sleep(100);
    await postgres.restart();
  };
  const taking = Array.from({ length: 8 }, async (_, worker) => {
    for (let n = worker; n < LIMIT + 40; n += 8) await take(n);
  });
  await crash(5);
  await killServer(servers[3] as ServerProcess, 'SIGKILL');
  await crash(20);
  await Promise.all(taking);
  expect(await devicesKept()).toEqual([...acknowledged].sort());
  expect([acknowledged.size, refused]).toEqual([LIMIT, 40]);
  expect(await Promise.all(servers.slice(0, 3).map((server) => killServer(server, 'SIGTERM')))).toEqual([0, 0, 0]);
}, 180_000);

test('the mail of each of 40 sales, delivered twice over four machines, is written once', async () => {
  await startAll();
  const deliver = async (n: number, machine: number): Promise<void> => {
    const paid_at = '2026-11-20T10:00:00.000Z';
    const lines = [{ product: 'product-1', total_cents: 1900 }];
    const facts = { reference: `web-${n}`, buyer: { email: `buyer-${n}@example.com`, name: 'A Buyer' } };
    const data = { ...facts, ordered_at: paid_at, paid_at, currency: 'USD', total_cents: 1900, lines };
    const body = JSON.stringify({ type: 'order', timestamp: paid_at, data });
    const headers = { 'content-type': 'application/json', ...sign(body, Date.now(), secret, `event-${n}`) };
    const { status } = await fetch(`${url(machine)}/webhooks/shop`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  };
  const twice = Array.from({ length: SALES }, (_, n) => [deliver(n, n), deliver(n, n + 1)]);
  await Promise.all(twice.flat());
  const messages = () =>
    Array.from({ length: MACHINES }, (_, n) => join(at(n), 'outbox'))
      // A machine that wrote no mail has no such folder.
      .filter((outbox) => existsSync(outbox))
      .flatMap((outbox) =>
        readdirSync(outbox).flatMap((name) =>
          name.endsWith('.eml') ? (/^To: buyer-\S+/m.exec(readFileSync(join(outbox, name), 'utf8')) ?? []) : [],
        ),
      );
  await expect.poll(() => new Set(messages()).size, { timeout: 60_000 }).toBe(SALES);
  expect(messages()).toHaveLength(SALES);
  await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
}, 180_000);

test('a machine without the keys of the store says so and does not start', async () => {
  const child = spawnServer(at('new'), env, 'pipe');
  let told = '';
  for await (const part of child.stderr ?? []) told += String(part);
  expect(told).toMatch(/keys? .*(lost|missing)/);
}, 60_000);
