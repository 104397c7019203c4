import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { PROJECT } from './entries.ts';

const run = promisify(execFile);
const folder = join(inject('consumer'), 'guide');
const compiler = join(PROJECT, 'node_modules', '@typescript/native/bin/tsc');
const guide = readFileSync(join(PROJECT, 'docs', 'package.md'), 'utf8');

const only = (pattern: RegExp): string => {
  const found = [...guide.matchAll(pattern)].map(([, text]) => text);
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'server.ts'), only(/```ts\n(.*?)```/gs));
  const options = only(/^npx tsc (--init .*)$/gm).split(' ');
  await run(process.execPath, [compiler, ...options], { cwd: folder });
});

test('the server of the guide to the package compiles with the options that it names', async () => {
  const { stdout } = await run(process.execPath, [compiler, '--noEmit'], { cwd: folder }).catch((error) => error);
  expect(stdout).toBe('');
});

test('the server of the guide to the package starts, and ends with 0 when it is asked to', async () => {
  const ports = { API_PORT: '0', APP_PORT: '0', DESIGN_PORT: '0', ACCOUNT_PORT: '0' };
  const env = { ...process.env, ...ports, DATA_DIR: join(folder, 'data') };
  const server = spawn(process.execPath, ['server.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  for await (const line of createInterface(server.stdout)) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    break;
  }
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}, 60_000);
