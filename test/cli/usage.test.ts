import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ABILITIES, DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import { cli } from '../support/cli.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('wrong usage', () => {
  test.each([
    [[], 'error: name a command; --help lists them'],
    [['acount'], "error: unknown command 'acount'"],
    [['account', 'add'], "error: required option '--email <address>' not specified"],
    [['account', 'add', '--email', 'nobody'], "error: option '--email <address>' takes an e-mail address"],
    [
      ['key', 'create', '--account', '1', '--name', 'k', '--abilities', 'products.write'],
      'There is no ability products.write. It takes some of products.read,',
    ],
    [
      ['key', 'create', '--account', '1', '--name', 'k', '--expires', '2027-02-30'],
      'It takes a date such as 2027-01-31',
    ],
    [
      ['key', 'create', '--account', '1', '--name', 'k', '--client', 'cli'],
      "options '--client' and '--device' go together",
    ],
    [['grant', '--account', '0', '--product', '1'], 'It takes an id'],
    [['grant', '--account', '1', '--product', ' '], 'It takes 1 to 255 characters'],
    [
      ['publish', 'tool', 'file', '--version', '1', '--channel', 'nightly'],
      'Allowed choices are stable, beta, alpha, dev.',
    ],
    [['import'], "error: missing required argument 'file'"],
  ])('the arguments %j exit with 2 and an error of at most two lines', async (args, message) => {
    const { code, stdout, stderr } = await cli(args, { DATA_DIR: '/proc/nowhere' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(lines(stderr).length).toBeLessThanOrEqual(2);
  });
});

describe('the help of commands', () => {
  test('the help of key create lists all abilities and the default ones', async () => {
    const { code, stdout } = await cli(['key', 'create', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Abilities: ${ABILITIES.join(', ')}.`);
    expect(stdout).toContain(`Without --abilities a key has ${PERSONAL_KEY_ABILITIES.join(', ')};`);
    expect(stdout).toContain(`a device sign-in key has ${DEVICE_KEY_ABILITIES.join(', ')}.`);
  });

  test('the help of grant says that each run adds an entitlement', async () => {
    expect((await cli(['grant', '--help'])).stdout).toContain('each run adds one more');
  });
});

describe('a store that cannot be opened', () => {
  test.each([
    ['a folder below a file', { DATA_DIR: `${fileURLToPath(import.meta.url)}/data` }, 'DATA_DIR'],
    ['a folder that cannot contain files', { DATA_DIR: '/proc/data' }, 'DATA_DIR /proc/data can'],
    ['a variable with a wrong value', { STORE: 'oracle' }, 'STORE takes one of'],
    ['a store in the memory of a server', { STORE: 'memory' }, 'STORE is "memory"'],
  ])('%s exits with 1 and an error of one line', async (_, env, message) => {
    const { code, stderr, json } = await cli(['account', 'list', '--json'], env);
    expect([code, lines(stderr).length]).toEqual([1, 1]);
    expect(stderr).toContain(message);
    expect(json()).toMatchObject({ error: 'failed', message: stderr.trimEnd() });
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
    const main = fileURLToPath(new URL('../../runtimes/cli/main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const complaints: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, Buffer.concat(complaints).toString()]).toEqual([0, '']);
  });
});
