import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareDataDir } from '../../processes/data-dir.ts';
import { cli } from '../../support/cli.ts';
import { freePort } from '../../support/free-port.ts';
import { FREE_PORTS } from '../../support/free-ports.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const BIG = 256 * 1024 ** 2;
const REPLACEMENTS = 4;
const EVERY_MS = 2;
/** A reader with such a pause after each piece needs minutes for the download. */
const SLOW_MS = 20;
/** A busy machine starts a server slowly. */
const PATIENCE = { timeout: 90_000 };

/**
 * Holds systemd's sockets, and starts a server on them for each line, which names the file of the news that the server
 * returns. The working directory is the link to the current version.
 */
const PARENT = `while read -r news; do {
  (cd "$LINK" && export LISTEN_PID=$BASHPID NOTIFY_SOCKET=$news && exec "$NODE" runtimes/express/main.ts >&2) & pid=$!
  echo "began $pid"; wait $pid; echo "ended $pid $?"
} & done`;

let prepared: Prepared;
let folder: string;
let link: string;
let parent: ChildProcessWithoutNullStreams;
let port: number;
let metrics: number;
const said: string[] = [];

beforeAll(async () => {
  prepared = await prepareDataDir(null);
  folder = join(prepared.dataDir, 'test');
  link = join(folder, 'link');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const big = join(folder, 'big.bin');
  writeFileSync(big, 'The first bytes of a sparse file.');
  truncateSync(big, BIG);
  await cli(['publish', '1', big, '--version', '1.0.0'], { DATA_DIR: prepared.dataDir });
  writeFileSync(join(folder, 'bin', 'systemd-notify'), '#!/bin/sh\necho "$@" >"$NOTIFY_SOCKET"\n', { mode: 0o755 });
  [port, metrics] = [await freePort(), await freePort()];
  const env = {
    ...FREE_PORTS,
    API_PORT: String(port),
    METRICS_PORT: String(metrics),
    DATA_DIR: prepared.dataDir,
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
    LINK: link,
    NODE: process.execPath,
    PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
  };
  const sockets = [port, metrics].map((one) => `--listen=127.0.0.1:${one}`);
  const variables = Object.entries(env).map(([name, value]) => `--setenv=${name}=${value}`);
  parent = spawn('systemd-socket-activate', [...sockets, ...variables, '/bin/bash', '-c', PARENT], {
    stdio: 'pipe',
  });
  const { stdout, stderr } = parent;
  createInterface({ input: stdout }).on('line', (line) => said.push(line));
  let errors = '';
  stderr.on('data', (part: Buffer) => {
    errors += String(part);
  });
  while (!errors.includes(`Listening on 127.0.0.1:${metrics}`)) await once(stderr, 'data');
});
afterAll(async () => {
  parent.kill('SIGKILL');
  const ended = new Set(said.flatMap((line) => /^ended (\d+)/.exec(line)?.[1] ?? []));
  const begun = said.flatMap((line) => /^began (\d+)/.exec(line)?.[1] ?? []);
  for (const pid of begun.filter((one) => !ended.has(one))) process.kill(Number(pid), 'SIGKILL');
  prepared.remove();
});

/** Points the link to a version, and starts a server there. Resolves once it answers. */
const startNext = async (n: number): Promise<number> => {
  rmSync(link, { force: true });
  symlinkSync(PROJECT, link);
  const news = join(folder, `news-${n}`);
  parent.stdin.write(`${news}\n`);
  await expect.poll(() => existsSync(news), PATIENCE).toBe(true);
  // The link changes before the server has loaded its lazy parts.
  rmSync(link);
  symlinkSync(folder, link);
  return Number(/\d+/.exec(said.filter((line) => line.startsWith('began')).at(-1) ?? '')?.[0]);
};

/** One request on its own connection, which keeps no server alive. */
const ask = async (url: string, headers = {}): Promise<IncomingMessage> => {
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  return response;
};

type Tally = { answered: number; readonly wrong: string[] };

/** Sends requests at a steady rate until it is stopped, half of them on persistent connections, half on new ones. */
const load = (agent: Agent): { readonly stop: () => Promise<Tally> } => {
  const tally: Tally = { answered: 0, wrong: [] };
  const open = new Set<Promise<void>>();
  const send = (n: number): Promise<void> =>
    new Promise((resolve) => {
      const isCheck = n % 3 === 0;
      const body = isCheck ? JSON.stringify({ product_id: 1, device_id: 'one' }) : '';
      const headers = { authorization: `Bearer ${prepared.key}`, 'content-type': 'application/json' };
      const [method, path] = isCheck ? ['POST', '/api/license/check'] : ['GET', '/healthz'];
      const sent = request({ port, method, path, headers, agent: n % 2 === 0 && agent }, (response) => {
        if (response.statusCode === 200) tally.answered++;
        else tally.wrong.push(String(response.statusCode));
        response.resume().once('close', resolve);
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        tally.wrong.push(String(error.code));
        resolve();
      });
      sent.end(body);
    });
  let count = 0;
  const timer = setInterval(() => {
    const sent = send(count++).then(() => void open.delete(sent));
    open.add(sent);
  }, EVERY_MS);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(open);
    return tally;
  };
  return { stop };
};

test('servers that replace each other on systemd’s sockets refuse no request, and an open download of 256 MiB completes', async () => {
  const url = `http://127.0.0.1:${port}`;
  // A request before any server runs starts the parent, and waits.
  const first = ask(`${url}/healthz`);
  await pause(500);
  let current = await startNext(0);
  expect((await first).statusCode).toBe(200);
  const headers = { authorization: `Bearer ${prepared.key}` };
  const plan = (await json(await ask(`${url}/api/products/1/install`, headers))) as {
    readonly data: { readonly download_url: string; readonly sha256: string };
  };
  const download = await ask(plan.data.download_url);
  const sum = createHash('sha256');
  const ended = once(download, 'end');
  let isSlow = true;
  download.on('data', (part: Buffer) => {
    sum.update(part);
    if (isSlow) download.pause();
    if (isSlow) setTimeout(() => download.resume(), SLOW_MS);
  });

  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const loading = load(agent);
  for (let n = 1; n <= REPLACEMENTS; n++) {
    const next = await startNext(n);
    process.kill(current, 'SIGUSR2');
    current = next;
    await pause(1000);
  }
  expect((await ask(`${url}/docs`)).statusCode).toBe(200);
  expect((await ask(`http://127.0.0.1:${metrics}/metrics`)).statusCode).toBe(200);
  const { answered, wrong } = await loading.stop();
  agent.destroy();
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThan(2000);

  isSlow = false;
  await ended;
  expect([download.complete, sum.digest('hex')]).toEqual([true, plan.data.sha256]);
  // A replaced server exits with 0, which systemd does not restart.
  await expect
    .poll(() => said.filter((line) => line.startsWith('ended')).map((line) => line.split(' ')[2]))
    .toEqual(Array.from({ length: REPLACEMENTS }, () => '0'));
  process.kill(current, 'SIGTERM');
  await expect.poll(() => said).toContain(`ended ${current} 0`);
  console.info(`${answered} requests were answered over ${REPLACEMENTS} restarts.`);
}, 400_000);
