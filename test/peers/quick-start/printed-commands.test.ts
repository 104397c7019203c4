import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FREE_PORTS } from '../../support/free-ports.ts';

const run = promisify(execFile);

/** Starts the server like a new user and waits for all of its output. */
const startAndRead = async (dataDir: string) => {
  const server = spawn('npm', ['start'], {
    env: { ...process.env, ...FREE_PORTS, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let said = '';
  for await (const part of server.stdout) {
    said += String(part);
    if (said.includes('Stop it with Ctrl+C')) break;
  }
  return { server, said };
};

test('npm start exits on SIGTERM like the server, with code 0 and a free port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-service-sigterm-'));
  const { server, said } = await startAndRead(folder);
  const api = /Account API\s+(\S+)/.exec(said)?.[1] as string;
  expect((await fetch(`${api}/healthz`)).status).toBe(200);
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  await expect(fetch(`${api}/healthz`)).rejects.toThrow();
  rmSync(folder, { recursive: true, force: true });
});

describe('the commands that a first start prints', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-service-quick-start-'));
  let started: Awaited<ReturnType<typeof startAndRead>>;
  let answers: string;

  beforeAll(async () => {
    started = await startAndRead(dataDir);
    const script = started.said.slice(started.said.indexOf('  export '), started.said.indexOf('Stop it with'));
    answers = (await run('bash', ['-euo', 'pipefail', '-c', script])).stdout;
  });

  afterAll(async () => {
    // The signal goes to the whole process group, like that of Ctrl+C.
    process.kill(-(started.server.pid as number), 'SIGINT');
    await once(started.server, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the printed commands list the products of the demo account', () => {
    expect(answers).toMatch(/^4 {2}Hashcheck$/m);
  });

  test('the printed commands download a file that has the plan’s checksum and runs', () => {
    expect(answers).toContain('/tmp/hashcheck: OK');
    expect(answers).toMatch(/^hashcheck \d+\.\d+\.\d+ /m);
  });

  test('the printed commands activate three devices and get 409 for the fourth', () => {
    expect(answers.match(/^(200|409)$/gm)).toEqual(['200', '200', '200', '409']);
  });

  test('the printed lines for the gallery are comments, with the token of an agent that can collect', async () => {
    const design = /Design host\s+(\S+)/.exec(started.said)?.[1];
    const [, token] = /^ {2}# export DESIGN_TOKEN=(\S+) ACCOUNT_EMAIL=/m.exec(started.said) ?? [];
    expect(started.said).toMatch(/^ {2}# npx --no -- node examples\/collector\/main\.ts --design http/m);
    const opened = await fetch(`${design}/api/agent/collect/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ viewports: ['mobile'], langs: ['en'], apps: null }),
    });
    expect(opened.status).toBe(201);
  });

  test('the gallery shows an approved design document from the first start on', async () => {
    const design = /Design host\s+(\S+)/.exec(started.said)?.[1];
    const page = await (await fetch(`${design}/documents?hl=en`)).text();
    expect(page).toContain('Design principles');
  });

  test('the printed commands show the same state after the second upload of a day’s usage', () => {
    const [first, second] = answers.match(/^\{"stored".*$/gm) ?? [];
    expect(first).toContain('"launches":3');
    expect(second).toBe(first);
  });
});
