import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { FREE_PORTS } from '../../support/free-ports.ts';

const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(PROJECT, 'infra', 'machine', 'Containerfile'), 'utf8');

/** The instructions of the final image, with continued lines joined. */
const instructions = (text.split(/^FROM /m).at(-1) ?? '').replaceAll(/\\\n\s*/g, '').split('\n');
const argumentsOf = (name: string): string[] =>
  instructions.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

/** The files that the image has beside what `install.mjs` makes. */
const copied = [...text.matchAll(/^COPY ((?!--from)\S.*) \S+$/gm)].flatMap(([, files = '']) => files.split(' '));

const environment = Object.fromEntries(
  argumentsOf('ENV').flatMap((args) => args.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
);

/** A command of the file, with this Node instead of the image's. */
const commandOf = (args: string): [string, string[]] => {
  const [program, ...rest] = JSON.parse(args.slice(args.indexOf('['))) as string[];
  expect(program).toBe('node');
  return [process.execPath, rest];
};

test('a linter finds no fault in the container file', () => {
  expect(validate(text).map(({ message }) => message)).toEqual([]);
});

test('the build context has what the container file copies, and nothing else', () => {
  const listed = readFileSync(join(PROJECT, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm);
  expect([...(listed ?? [])].sort()).toEqual([...copied].sort());
});

test('the container runs as an unprivileged user, on its own data', () => {
  expect([argumentsOf('USER'), argumentsOf('VOLUME')]).toEqual([['node'], [environment['DATA_DIR']]]);
});

describe('the files of the container with their production packages', () => {
  let folder: string;
  let server: ChildProcess;
  let said = '';
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-container-'));
    const app = join(folder, 'app');
    for (const file of copied) {
      await cp(join(PROJECT, file), join(app, file), { recursive: true });
    }
    expect(text).toContain('RUN node infra/machine/install.mjs');
    const offline = { ...process.env, npm_config_prefer_offline: 'true' };
    await run(process.execPath, ['infra/machine/install.mjs'], { cwd: app, env: offline });
    env = {
      ...environment,
      PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
      HOME: folder,
      DATA_DIR: join(folder, 'data'),
      NODE_COMPILE_CACHE: join(folder, 'cache'),
      ...FREE_PORTS,
      API_PORT: String(await freePort()),
      LOG_LEVEL: 'error',
    };
    const [program, args] = commandOf(argumentsOf('CMD').join());
    server = spawn(program, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
    server.stdout?.on('data', (part) => {
      said += String(part);
    });
  }, 300_000);
  afterAll(async () => {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const health = async (): Promise<boolean> => {
    const [program, args] = commandOf(argumentsOf('HEALTHCHECK').join());
    return run(program, args, { env }).then(
      () => true,
      () => false,
    );
  };

  test('the container has the optional packages for AWS, images, metrics and the reference, and no test tools', async () => {
    const packages = await readdir(join(folder, 'app', 'node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['@aws-sdk', '@jimp', '@prometheus-io', '@scalar']));
    expect(packages).not.toContain('vitest');
  });

  test('the server starts, is healthy, has no sample store, runs beside a command, and stops by SIGTERM', async () => {
    await expect.poll(health, { timeout: 50_000, interval: 500 }).toBe(true);
    await expect.poll(() => said).toContain('running');
    expect(said).not.toContain('Demo account');
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['app', 'data', 'cache']));
    const command = ['machine.out/cli.mjs', 'account', 'list', '--json'];
    const { stdout } = await run(process.execPath, command, { cwd: join(folder, 'app'), env });
    expect(JSON.parse(stdout)).toEqual([]);
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    expect(code).toBe(0);
    expect(await health()).toBe(false);
  });
});
