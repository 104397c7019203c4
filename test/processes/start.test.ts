import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { killServer, type ServerProcess, spawnServer, startServer } from './server.ts';

/** A request without an answer by then counts as hanging. */
const PATIENCE_MS = 15_000;

const POLLERS = 8;

let folder: string;
let server: ServerProcess['child'] | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-start-'));
});
afterEach(async () => {
  if (server) await killServer({ child: server }, 'SIGTERM');
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

type Seen = { readonly status: number; readonly retryAfter: string | null; readonly message: unknown };

const isRefused = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

/** One request; undefined if the port is not open yet. Fails if it hangs or is interrupted. */
const ask = async (url: string): Promise<Seen | undefined> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { message } = (await response.json()) as { message?: unknown };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), message };
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
};

/** Polls from now on until the answer is 200. */
const pollUntilReady = async (url: string): Promise<Seen[]> => {
  const answers: Seen[] = [];
  for (;;) {
    const seen = await ask(url);
    if (seen) answers.push(seen);
    if (seen?.status === 200) return answers;
    await sleep(seen ? 5 : 1);
  }
};

test('every request that arrives while the server starts is answered, with 503 and Retry-After until it is ready', async () => {
  const port = await freePort();
  server = spawnServer(folder, { API_PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  const polls = await Promise.all(
    Array.from({ length: POLLERS }, (_, n) => pollUntilReady(url + (n % 2 ? '/healthz' : '/openapi.json'))),
  );
  const early = polls.flat().filter(({ status }) => status !== 200);
  expect(early.length).toBeGreaterThan(0);
  for (const seen of early) {
    expect(seen).toEqual({ status: 503, retryAfter: '1', message: expect.stringContaining('starting') });
  }
}, 60_000);

test('a server that is told to stop while it starts ends with exit code 0 once it is up', async () => {
  const port = await freePort();
  server = spawnServer(folder, { API_PORT: String(port) });
  let first: Seen | undefined;
  while (!first) first = await ask(`http://127.0.0.1:${port}/healthz`);
  expect(first.status).toBe(503);
  expect(await killServer({ child: server }, 'SIGTERM')).toBe(0);
}, 60_000);

test('a signal that arrives twice at once, as npm forwards Ctrl+C, ends the server in order', async () => {
  const { child, url } = await startServer(folder, { SAMPLE_STORE: 'never' });
  server = child;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await killServer({ child }, 'SIGINT')).toBe(0);
}, 60_000);

test('a start on a port in use ends at once and names the variable to change', async () => {
  const first = await startServer(folder, { SAMPLE_STORE: 'never' });
  server = first.child;
  const { port } = new URL(first.url);
  const other = mkdtempSync(join(tmpdir(), 'account-service-start-'));
  try {
    const second = spawnServer(other, { API_PORT: port, SAMPLE_STORE: 'never' }, 'pipe');
    let said = '';
    second.stderr?.on('data', (part: Buffer) => {
      said += String(part);
    });
    const [code] = await once(second, 'exit');
    expect([code, said]).toEqual([1, expect.stringContaining('API_PORT')]);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
}, 60_000);

test('a start on a folder that it may not write says so, whether its disk is read-only or its modes forbid it', () => {
  // Modes do not apply to root, who may mount the folder read-only instead.
  const mounts = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
  const close = mounts ? 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"' : 'chmod a-w "$1"';
  const shell = ['sh', '-c', `${close} && exec "$2" runtimes/express/main.ts`, 'sh', folder, process.execPath];
  const [program = '', ...given] = [...(mounts ? ['unshare', '-m'] : []), ...shell];
  const env = {
    ...process.env,
    DATA_DIR: folder,
    API_PORT: '0',
    DESIGN_PORT: '0',
    APP_PORT: '0',
    SHOP_PORT: '0',
    ACCOUNT_PORT: '0',
  };
  const { status, stderr } = spawnSync(program, given, { env, encoding: 'utf8' });
  const why = `DATA_DIR ${folder} can't be written (${mounts ? 'EROFS' : 'EACCES'}); name a folder that this user may write.\n`;
  expect([status, stderr]).toEqual([1, why]);
}, 60_000);
