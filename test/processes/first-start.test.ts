import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killServer, type ServerProcess, spawnServer } from './server.ts';

let folder: string;
let servers: ServerProcess['child'][] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-first-start-'));
});
afterEach(async () => {
  await Promise.all(servers.map((child) => killServer({ child }, 'SIGTERM')));
  servers = [];
  rmSync(folder, { recursive: true, force: true });
});

/** The complete welcome text and log of a server, once it is up. */
const startAndRead = async (env: Record<string, string> = {}) => {
  const child = spawnServer(folder, { LOG_LEVEL: 'warn', ...env }, 'pipe');
  servers.push(child);
  let log = '';
  child.stderr?.on('data', (part: Buffer) => {
    log += String(part);
  });
  let said = '';
  for await (const part of child.stdout ?? []) {
    said += String(part);
    if (said.includes('Stop it with Ctrl+C')) return { child, said, log: () => log };
  }
  throw new Error(`The server ended before it was up: ${said}${log}`);
};

const apiOf = (said: string): URL => new URL(/Account API\s+(\S+)/.exec(said)?.[1] as string);

test('of two servers that start together on an empty folder, one fills it and both serve it', async () => {
  const both = await Promise.all([startAndRead(), startAndRead()]);
  const [first = '', second = ''] = both.map(({ said }) => said).sort((a, b) => b.length - a.length);
  expect(first).toContain('Demo account  demo@example.com');
  expect(second).not.toContain('Demo account');
  expect(second).not.toContain('This store is empty');
  const key = /ACCOUNT_API_KEY=(\S+)/.exec(first)?.[1];
  for (const { said } of both) {
    const library = await fetch(new URL('/api/library', apiOf(said)), { headers: { Authorization: `Bearer ${key}` } });
    expect(library.status).toBe(200);
  }
}, 60_000);

test('a server behind a proxy leaves an empty folder empty, and says so in the log and in its welcome', async () => {
  const { child, said, log } = await startAndRead({ API_URL: 'https://api.example.com' });
  expect(said).toContain(`This store is empty: DATA_DIR ${folder} has no products and no accounts.`);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
  expect(log()).toContain('"level":40');
  expect(log()).toContain(`This store is empty: DATA_DIR ${folder} has no products and no accounts.`);
}, 60_000);

test('a server listens only on the loopback address unless LISTEN_ADDRESS opens it', async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal)?.address;
  const closed = await startAndRead({ SAMPLE_STORE: 'never' });
  const open = await startAndRead({ SAMPLE_STORE: 'never', LISTEN_ADDRESS: '0.0.0.0' });
  expect((await fetch(new URL('/healthz', apiOf(closed.said)))).status).toBe(200);
  expect((await fetch(new URL('/healthz', apiOf(open.said)))).status).toBe(200);
  // Linux routes every address of 127/8 to this machine, so this works without a network.
  const other = outside ?? '127.0.0.2';
  const at = (said: string): string => `http://${other}:${apiOf(said).port}/healthz`;
  expect((await fetch(at(open.said))).status).toBe(200);
  await expect(fetch(at(closed.said))).rejects.toThrow();
}, 60_000);

test('an address that this machine lacks stops the start with one line that names the variable', async () => {
  const child = spawnServer(folder, { LISTEN_ADDRESS: '192.0.2.1' }, 'pipe');
  let log = '';
  child.stderr?.on('data', (part: Buffer) => {
    log += String(part);
  });
  const [code] = await once(child, 'close');
  expect([code, log]).toEqual([1, 'This machine has no address 192.0.2.1; set LISTEN_ADDRESS to one that it has.\n']);
}, 60_000);
