import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killServer, type ServerProcess, startServer } from '../processes/server.ts';
import { cli } from '../support/cli.ts';
import { hiddenFields, PageBrowser } from '../support/page-browser.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'clients', 'cli', 'cli.js');

let folder: string;
let program: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-buyer-'));
  program = join(folder, 'my-software.mjs');
  await build({ entryPoints: [SOURCE], bundle: true, platform: 'node', format: 'esm', outfile: program });
  server = await startServer(join(folder, 'data'), { SAMPLE_STORE: 'always' });
});
afterAll(async () => {
  await killServer(server, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const begin = (...args: string[]): ChildProcess => {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, MY_SOFTWARE_HOME: join(folder, 'buyer') };
  return spawn(process.execPath, [program, ...args], { env, cwd: folder, stdio: 'pipe' });
};
const ended = async (child: ChildProcess) => {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (part) => (stdout += String(part)));
  child.stderr?.on('data', (part) => (stderr += String(part)));
  const [code] = await once(child, 'close');
  return { code: code as number, stdout, stderr };
};
const run = (...args: string[]) => ended(begin(...args));
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

/** Approves the code of a sign-in as the owner of an account, whom the operator's link signs in. */
const approve = async (code: string): Promise<void> => {
  const made = await cli(['account', 'link', '--account', '1', '--json'], { DATA_DIR: join(folder, 'data') });
  const link = new URL(made.json().url);
  const browser = new PageBrowser(server.account);
  await browser.submit(link.pathname + link.search, '/sign-in/link', {});
  const { body } = await browser.submit('/device', '/device', { user_code: code });
  const fields = { ...hiddenFields(body, '/device/decide'), decision: 'approve' };
  const decided = await browser.post('/device/decide', fields);
  expect(decided.status).toBeLessThan(400);
};

test('a buyer signs in by a code, lists, installs, updates, checks the license, and signs out', async () => {
  expect(await run('library', '--server', server.url)).toMatchObject({
    code: 3,
    stderr: 'This machine is not signed in; run: my-software sign-in\n',
  });
  const signing = begin('sign-in', '--server', server.url, '--json');
  const signedIn = ended(signing);
  let shown = '';
  signing.stderr?.on('data', (part) => (shown += String(part)));
  await expect.poll(() => shown).toMatch(/enter \S+/);
  await approve(/enter (\S+)/.exec(shown)?.[1] ?? '');
  expect(await signedIn).toMatchObject({ code: 0, stdout: expect.stringContaining(server.url) });
  // The test has no keychain: the key is in a file that its owner alone reads.
  expect(statSync(join(folder, 'buyer', `key.${new URL(server.url).host.replace(':', '_')}.json`)).mode & 0o777).toBe(
    0o600,
  );

  expect(await json('library')).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: 4, name: 'Hashcheck' })]),
  );
  const installed = await json('install', 'hash', '--platform', 'linux-amd64', '--to', 'tools/hashcheck');
  expect(installed).toMatchObject({ product: 'Hashcheck', path: expect.stringMatching(/tools.hashcheck$/) });
  expect(readFileSync(join(folder, 'tools/hashcheck')).length).toBeGreaterThan(0);
  expect(await json('update', 'Hashcheck', '--platform', 'linux-amd64')).toMatchObject({ updated: false });
  expect(await json('license', '4')).toMatchObject({ state: 'licensed', code: 'valid' });
  expect((await json('devices', 'hashcheck')).length).toBeGreaterThan(0);
  expect((await run('library')).stdout).toMatch(/^id +name +type +platforms\n/);
  expect(await run('install', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^You own no product/),
  });
  const again = await run('install', 'hash', '--platform', 'linux-amd64', '--to', 'buyer/settings.json');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
  expect((await run('library', '--server', 'http://127.0.0.1:9')).code).toBe(3);
  expect(await json('sign-out')).toEqual({ released: true });
  expect((await run('library')).code).toBe(3);
  expect((await run()).stderr).toContain('sign-in');
});
