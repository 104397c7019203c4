import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ABILITIES, DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { cli, MAIN } from '../support/cli.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** A help without its line breaks. */
const unwrapped = (help: string): string => help.replaceAll(/\s+/g, ' ');

describe('the help of commands', () => {
  test('the help of key create lists all abilities and the default ones', async () => {
    const { code, stdout: help } = await cli(['key', 'create', '--help']);
    const stdout = unwrapped(help);
    expect(code).toBe(0);
    expect(stdout).toContain(`Abilities: ${ABILITIES.join(', ')}.`);
    expect(stdout).toContain(`Without --abilities a key has ${PERSONAL_KEY_ABILITIES.join(', ')};`);
    expect(stdout).toContain(`a device sign-in key has ${DEVICE_KEY_ABILITIES.join(', ')}.`);
  });

  test('the help of grant says that each run adds an entitlement', async () => {
    expect(unwrapped((await cli(['grant', '--help'])).stdout)).toContain('each run adds another');
  });
});

describe('a store that cannot be opened', () => {
  test.each([
    ['a folder below a file', { DATA_DIR: `${fileURLToPath(import.meta.url)}/data` }, 'DATA_DIR'],
    ['a folder that cannot contain files', { DATA_DIR: '/proc/data' }, 'DATA_DIR /proc/data can'],
    ['a variable with a wrong value', { STORE: 'oracle' }, 'STORE takes one of'],
    ['a store in the memory of a server', { STORE: 'memory' }, 'STORE is "memory"'],
  ])('the command %s exits with 1 and an error of one line', async (_, env, message) => {
    const { code, stderr, json } = await cli(['account', 'add', '--email', 'a@example.com', '--json'], env);
    expect([code, lines(stderr).length]).toEqual([1, 1]);
    expect(stderr).toContain(message);
    expect(json()).toMatchObject({ error: 'failed', message: stderr.trimEnd() });
  });
});

describe('a folder without a store', () => {
  const nowhere = join(tmpdir(), `cli-no-store-${process.pid}`);

  test.each([
    ['account', 'list'],
    ['key', 'create', '--account', '1', '--name', 'k'],
    ['grant', '--account', '1', '--product', 'tool'],
    ['release', 'list', 'tool'],
    ['signing-key', 'list'],
    ['policy', 'show'],
    ['reports', 'list'],
    ['collect', 'list'],
  ])('the command %s %s refuses, names the folder, and does not create it', async (...args) => {
    const { code, stderr, json } = await cli([...args, '--json'], { DATA_DIR: nowhere });
    expect([code, json().error, lines(stderr).length]).toEqual([1, 'no_store', 1]);
    expect(stderr).toContain(`DATA_DIR ${nowhere} holds no store;`);
    expect(existsSync(nowhere)).toBe(false);
  });

  test.each([
    ['account', 'add', '--email', 'a@example.com'],
    ['agent-token', 'create', '--role', 'read', '--name', 'a'],
    ['signing-key', 'create'],
    ['artifact-key'],
  ])('the command %s %s creates the store', async (...args) => {
    expect(await cli(args, { DATA_DIR: nowhere })).toMatchObject({ code: 0 });
    expect(existsSync(join(nowhere, 'store.db'))).toBe(true);
    rmSync(nowhere, { recursive: true });
  });
});

describe('options before the command', () => {
  test('--version prints the version of the package', async () => {
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('--version after a command is the command’s own option', async () => {
    const { code, stderr } = await cli(['openapi', '--version']);
    expect([code, stderr]).toEqual([2, "error: unknown option '--version'\n"]);
  });

  test('--json before a command is the same as after it', async () => {
    const env = { DATA_DIR: join(tmpdir(), `cli-no-store-${process.pid}`) };
    const [before, after] = [
      await cli(['--json', 'account', 'list'], env),
      await cli(['account', 'list', '--json'], env),
    ];
    expect(before.json()).toEqual(after.json());
    expect(before.json().error).toBe('no_store');
  });
});

describe('the openapi command', () => {
  test('openapi prints the document with the public addresses without a store', async () => {
    const { code, stderr, json } = await cli(['openapi'], {
      API_URL: 'https://api.example.com/',
      DATA_DIR: '/proc/nowhere',
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://api.example.com' }] });
  });

  test('openapi exits quietly when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [MAIN, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const complaints: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, Buffer.concat(complaints).toString()]).toEqual([0, '']);
  });
});

test('a command whose output finds a full disk says in one line that it is not complete, and exits with 1', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'openapi'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, "The output can't be written (ENOSPC), and is not complete.\n"]);
});
