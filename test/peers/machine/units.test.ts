import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../runtimes/configuration/config.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const UNITS = join(PROJECT, 'infra', 'machine', 'systemd');
const SAMPLE = join(PROJECT, 'infra', 'machine', 'account-service.env');

/** The units that run our programs. `account-service.service` starts, replaces and stops them as root. */
const services = readdirSync(UNITS).filter((name) => /-.*\.service$/.test(name) && name !== 'account-service.service');

/** The lines that systemd adds to each of them. */
const SHARED = join('account-service-.service.d', 'shared.conf');

/** The values of a key of a unit. */
const valuesOf = (unit: string, key: string): string[] =>
  [unit, ...(unit.startsWith('account-service-') ? [SHARED] : [])]
    .flatMap((file) => readFileSync(join(UNITS, file), 'utf8').split('\n'))
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
    const files = readdirSync(folder).filter((name) => /\.(?:service|socket|timer)$/.test(name));
    expect(files).toHaveLength(8);
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...files.map((name) => join(folder, name))],
      { encoding: 'utf8' },
    );
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  test.each(services)('the unit %s has an exposure of less than 2 of 10 in systemd’s rating', (name) => {
    const args = ['security', '--offline=yes', '--threshold=19', join(folder, name)];
    expect(() => execFileSync('systemd-analyze', args, { stdio: 'pipe' })).not.toThrow();
  });

  test.each(services)('the unit %s runs a program of the project as the service’s user', (name) => {
    const [command = ''] = valuesOf(name, 'ExecStart');
    const [node, ...words] = command.split(' ');
    expect(node).toBe('/usr/local/bin/node');
    const program = words.find((word) => !word.startsWith('-')) ?? '';
    const isBuilt = /^machine\.out\/(?:server|cli)\.mjs$/.test(program);
    expect(isBuilt || existsSync(join(PROJECT, program)), program).toBe(true);
    expect(valuesOf(name, 'User')).toEqual(['account-service']);
    // The later file takes precedence.
    expect(valuesOf(name, 'Environment')).toEqual([]);
    expect(valuesOf(name, 'EnvironmentFile')).toEqual([
      '/opt/account-service/infra/machine/defaults.env',
      '/etc/account-service/account-service.env',
    ]);
  });

  test.each(['backup', 'doctor'])('a failed %s starts the unit that mails the operator', (name) => {
    expect(valuesOf(`account-service-${name}.service`, 'OnFailure')).toEqual(['account-service-failed.service']);
    expect(valuesOf(`account-service-${name}.service`, 'Restart')).toEqual([]);
  });

  test.each([
    ['success', []],
    ['exit-code', ['start --no-block account-service-failed']],
    ['oom-kill', ['start --no-block account-service-failed']],
  ])('systemd never gives up on the service, and an end with the result %s reports %j', async (result, told) => {
    const unit = 'account-service-server@.service';
    const head = readFileSync(join(UNITS, unit), 'utf8').split('[Service]')[0];
    expect([head?.includes('\nStartLimitIntervalSec=0\n'), valuesOf(unit, 'Restart')]).toEqual([true, ['always']]);
    const [, script = ''] = /^\+-\/bin\/sh -c '(.*)'$/.exec(valuesOf(unit, 'ExecStopPost')[0] ?? '') ?? [];
    const systemctl = join(folder, 'bin', 'systemctl');
    await cp('/bin/echo', systemctl);
    await chmod(systemctl, 0o755);
    const env = { PATH: join(folder, 'bin'), SERVICE_RESULT: result };
    const { stdout } = spawnSync('/bin/sh', ['-c', script.replaceAll('$$', '$')], { env, encoding: 'utf8' });
    expect(stdout.split('\n').filter(Boolean)).toEqual(told);
  });

  test('the service starts Node with the options of npm start', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      readonly scripts: { readonly start: string };
    };
    const [, options] = /exec node (.*) runtimes\/express\/main\.ts$/.exec(scripts.start) ?? [];
    const command = `/usr/local/bin/node ${options} machine.out/server.mjs`;
    expect(valuesOf('account-service-server@.service', 'ExecStart')).toEqual([command]);
  });

  test('systemd keeps the ports of the service, and a replaced process is not started again', () => {
    const { ports, metrics, address } = readConfig(parseEnv(readFileSync(SAMPLE, 'utf8')));
    const held = [...Object.values(ports), metrics?.port].map((port) => `${address}:${port}`);
    expect(valuesOf('account-service.socket', 'ListenStream')).toEqual(held);
    expect(valuesOf('account-service-server@.service', 'RestartPreventExitStatus')).toEqual(['0']);
  });

  test.each([
    [
      'answers',
      0,
      ['kill --signal=SIGUSR2 account-service-server@1.service', 'stop --no-block account-service-server@2.service'],
    ],
    ['does not start', 1, ['stop NEXT']],
  ])('if the next process %s, a reload ends with %j after %j', async (does, code, calls) => {
    const bin = join(folder, 'stand-ins');
    await mkdir(bin, { recursive: true });
    const systemctl = `#!/bin/sh
case "$1 $*" in
  list-units*) printf '%s loaded active running A process\\n' account-service-server@1.service account-service-server@2.service ;;
  is-active*@2.service) exit 3 ;;
  is-active*) ;;
  start*) exit ${code} ;;
  *) echo "$*" ;;
esac
`;
    await writeFile(join(bin, 'systemctl'), systemctl, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const ran = spawnSync('/bin/sh', [join(PROJECT, 'infra/machine/replace')], { env, encoding: 'utf8' });
    const said = ran.stdout.replace(/account-service-server@\d{9,}\.service/, 'NEXT');
    expect([does, ran.status, said.split('\n').filter(Boolean)]).toEqual([does, code, calls]);
  });
});

describe('the settings of a machine in production', () => {
  const settings = readFileSync(SAMPLE, 'utf8');

  test('the service accepts the settings unchanged', () => {
    const config = readConfig(parseEnv(settings));
    expect(JSON.stringify(config)).toContain('https://account.shop.example.com');
    expect(JSON.stringify(config)).toContain('9464');
  });
});

describe('the command account-service', () => {
  let folder: string;
  const DEFAULTS = join(PROJECT, 'infra/machine/defaults.env');

  /** The stub of runuser prints its arguments, and then the command's environment. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-command-'));
    await writeFile(join(folder, 'runuser'), '#!/bin/sh\necho "$*"; umask; env\n', { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const command = (settings: string, before = {}) => {
    const path = `${folder}:${process.env['PATH']}`;
    const env = { ...before, PATH: path, ACCOUNT_SERVICE_SETTINGS: settings, ACCOUNT_SERVICE_DEFAULTS: DEFAULTS };
    const args = ['key', 'list', '--account', '1'];
    return spawnSync(join(PROJECT, 'infra/machine/account-service'), args, { env, encoding: 'utf8', cwd: folder });
  };

  const withLines = async (lines: string, before = {}) => {
    const settings = join(folder, 'settings.env');
    await writeFile(settings, lines);
    return command(settings, before);
  };

  test('the command line runs as the service’s user, with the service’s settings and store', () => {
    const { stdout } = command(SAMPLE);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      '-u account-service -- /usr/local/bin/node --min-semi-space-size=16 /opt/account-service/machine.out/cli.mjs key list --account 1',
      '0077',
    ]);
    const files = [DEFAULTS, SAMPLE].map((file) => parseEnv(readFileSync(file, 'utf8')));
    expect(files[0]).toMatchObject({ DATA_DIR: '/var/lib/account-service', SAMPLE_STORE: 'never' });
    for (const [name, value] of files.flatMap((file) => Object.entries(file))) {
      expect(stdout).toContain(`\n${name}=${value}\n`);
    }
  });

  test.each([
    'My Shop',
    'a$HOME',
    '`touch ran`',
    '$(touch ran)',
    'a&touch ran',
    'a;touch ran',
    `it's "mine"`,
    'a=b',
    '',
    '#1',
  ])('the value %j is read as written, and nothing of it runs', async (value) => {
    const { status, stdout, stderr } = await withLines(`UPSTREAM_NAME=${value}\nAPI_URL=https://a.example`);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`\nUPSTREAM_NAME=${value}\n`);
    expect(stdout).toContain('\nAPI_URL=https://a.example\n');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  test.each([
    '"My Shop"',
    "'My Shop'",
    'My\\ Shop',
    ' My Shop',
    'My Shop ',
    'My Shop\r',
    'My\tShop',
  ])('the value %j, which systemd and a container read differently, is refused', async (value) => {
    const { status, stdout, stderr } = await withLines(`UPSTREAM_NAME=${value}\n`);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/settings\.env: the value of UPSTREAM_NAME begins with a quote, .*; write it without\.\n$/);
  });

  test.each(['API_URL', '=1', '1A=1', 'export A=1', 'A B=1'])('the line %j is refused and never run', async (line) => {
    const { status, stdout, stderr } = await withLines(`${line}\n`);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/settings\.env: ".*" begins no line NAME=value; /);
  });

  test('a setting before the command overrides the file, and the file overrides the default', async () => {
    const lines = 'DATA_DIR=/first\nDATA_DIR=/srv/store\n';
    expect((await withLines(lines)).stdout).toContain('\nDATA_DIR=/srv/store\n');
    const drill = { DATA_DIR: '/var/tmp/drill' };
    expect((await withLines(lines, drill)).stdout).toContain('\nDATA_DIR=/var/tmp/drill\n');
    expect(command(SAMPLE, drill).stdout).toContain('\nDATA_DIR=/var/tmp/drill\n');
  });
});
