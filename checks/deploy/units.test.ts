import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../runtimes/composition/config.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const UNITS = join(PROJECT, 'deploy', 'systemd');

const services = readdirSync(UNITS).filter((name) => name.endsWith('.service'));

/** The values of a key of a unit. */
const valuesOf = (unit: string, key: string): string[] =>
  readFileSync(join(UNITS, unit), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));

describe('the units of systemd', () => {
  let folder: string;

  /** Copies of the units that name this Node, because this machine need not have one at the units' path. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-units-'));
    await cp(UNITS, folder, { recursive: true });
    for (const name of services) {
      const file = join(folder, name);
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('/usr/local/bin/node', process.execPath));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('systemd finds no fault in any unit', () => {
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toHaveLength(5);
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  test.each(services)('%s is exposed to less than 2 of 10 in the rating of systemd', (name) => {
    const args = ['security', '--offline=yes', '--threshold=19', join(folder, name)];
    expect(() => execFileSync('systemd-analyze', args, { stdio: 'pipe' })).not.toThrow();
  });

  test.each(services)('%s runs a program of the project as the service’s user', (name) => {
    const [command = ''] = valuesOf(name, 'ExecStart');
    const [node, ...words] = command.split(' ');
    const program = words.find((word) => word.endsWith('.ts')) ?? '';
    expect(node).toBe('/usr/local/bin/node');
    expect(existsSync(join(PROJECT, program)), program).toBe(true);
    expect(valuesOf(name, 'User')).toEqual(['account-service']);
    expect(valuesOf(name, 'Environment').join(' ')).toContain('SAMPLE_STORE=never');
  });

  test('the service starts Node with the options of npm start', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      readonly scripts: { readonly start: string };
    };
    const [, program] = /exec node (.*)$/.exec(scripts.start) ?? [];
    expect(valuesOf('account-service.service', 'ExecStart')).toEqual([`/usr/local/bin/node ${program}`]);
  });
});

describe('the settings of a machine in production', () => {
  const settings = readFileSync(join(PROJECT, 'deploy', 'account-service.env'), 'utf8');

  test('the service takes the settings as they are', () => {
    const config = readConfig(parseEnv(settings));
    expect(JSON.stringify(config)).toContain('https://account.shop.example.com');
    expect(JSON.stringify(config)).toContain('9464');
  });

  test('a shell reads the same values as systemd', () => {
    const printed = execFileSync(
      'sh',
      ['-c', 'set -a; . "$1"; env', 'sh', join(PROJECT, 'deploy/account-service.env')],
      {
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      },
    );
    for (const [name, value] of Object.entries(parseEnv(settings))) expect(printed).toContain(`${name}=${value}\n`);
  });
});

describe('the command account-service', () => {
  test('the command line runs as the service’s user, with the settings and on the store of the service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'account-service-command-'));
    const said = 'echo "$*"; echo "$DATA_DIR $NODE_COMPILE_CACHE $API_URL $(umask)"';
    await writeFile(join(folder, 'runuser'), `#!/bin/sh\n${said}\n`, { mode: 0o755 });
    const settings = join(PROJECT, 'deploy/account-service.env');
    const env = { PATH: `${folder}:${process.env['PATH']}`, ACCOUNT_SERVICE_SETTINGS: settings };
    const command = (more = {}) =>
      execFileSync(join(PROJECT, 'deploy/account-service'), ['key', 'list', '--account', '1'], {
        env: { ...env, ...more },
        encoding: 'utf8',
      });
    expect(command()).toBe(
      '-u account-service -- /usr/local/bin/node /opt/account-service/runtimes/cli/main.ts key list --account 1\n' +
        '/var/lib/account-service /var/cache/account-service https://api.shop.example.com 0077\n',
    );
    expect(command({ DATA_DIR: '/var/tmp/drill' })).toContain('\n/var/tmp/drill /var/cache');
    await rm(folder, { recursive: true });
  });
});
