import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { ENTRIES, PROJECT } from './entries.ts';

const run = promisify(execFile);
const consumer = inject('consumer');
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  DATA_DIR: join(consumer, 'data'),
};

const compilerOptions = {
  module: 'nodenext',
  target: 'es2024',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};

const COMPILERS = {
  'TypeScript 7': '@typescript/native/bin/tsc',
  'TypeScript 6': 'typescript/bin/tsc6',
};

describe('an empty project that installs the package', () => {
  beforeAll(async () => {
    const lines = ENTRIES.map(({ name }, at) => `import * as entry${at} from '${name}';\nvoid entry${at};\n`);
    await writeFile(join(consumer, 'every-entry.ts'), lines.join(''));
    await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['every-entry.ts'] }));
  });

  test.each(Object.entries(COMPILERS))(
    '%s compiles a program that imports every entry, and checks its declarations',
    async (_, compiler) => {
      const tsc = join(PROJECT, 'test', 'peers', 'node_modules', compiler);
      const { stdout } = await run(process.execPath, [tsc, '-p', consumer]).catch((error) => error);
      expect(stdout).toBe('');
    },
    240_000,
  );

  test('every entry can be imported', async () => {
    const program = `const failed = [];
      for (const name of ${JSON.stringify(ENTRIES.map(({ name }) => name))})
        await import(name).catch((error) => failed.push(name + ': ' + error.message));
      console.log(JSON.stringify(failed));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: consumer });
    expect(ENTRIES.length).toBeGreaterThan(500);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test.each([
    'account-service',
    'account-service/use-cases/shared/contended',
    'account-service/domain/operations/order-faults',
    'account-service/contracts/table/helpers',
    'account-service/dist/runtimes/express/start.js',
  ])('%s can’t be imported', async (name) => {
    const imported = run(process.execPath, ['--input-type=module', '-e', `await import('${name}')`], { cwd: consumer });
    await expect(imported).rejects.toMatchObject({ stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED') });
  });
});

describe('the installed command', () => {
  const command = (...args: string[]) => run('npx', ['account-service', ...args], { cwd: consumer, env });

  test('npx account-service --help shows the commands', async () => {
    const { stdout } = await command('--help');
    expect(stdout).toContain('Usage: account-service');
    expect(stdout).toContain('publish');
  });

  test('npx account-service --version says the version of the package', async () => {
    const { version } = (await import('../../../package.json', { with: { type: 'json' } })).default;
    expect((await command('--version')).stdout).toBe(`${version}\n`);
  });

  test('npx account-service account add and list print one JSON value each', async () => {
    const added = JSON.parse((await command('account', 'add', '--email', 'ada@example.com', '--json')).stdout);
    expect(added).toMatchObject({ email: 'ada@example.com' });
    expect(JSON.parse((await command('account', 'list', '--json')).stdout)).toEqual([added]);
  });

  test('a wrong use exits 2', async () => {
    await expect(command('account', 'lend')).rejects.toMatchObject({ code: 2 });
  });

  test('an older Node says in one sentence what it lacks', async () => {
    const main = join(consumer, 'node_modules', 'account-service', 'dist', 'runtimes', 'cli', 'main.js');
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.4.0' } });`;
    const running = run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(older)}`, main]);
    await expect(running).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'account-service needs Node 24 or newer, and this is Node 22.4.0.\n',
    });
  });
});

test('the server starts from the package, loads the sample store, and leaves its own folder as it was', async () => {
  const folder = join(consumer, 'node_modules', 'account-service');
  const before = globSync('**', { cwd: folder }).length;
  const data = join(consumer, 'started');
  const program = `import { start } from 'account-service/start';
    const ports = { API_PORT: '0', APP_PORT: '0', DESIGN_PORT: '0', ACCOUNT_PORT: '0' };
    const { urls, stop } = await start({ DATA_DIR: '${data}', LOG_LEVEL: 'silent', ...ports });
    const { status } = await fetch(urls.api + '/healthz');
    await stop();
    process.exitCode = status === 200 ? 0 : 1;`;
  await run(process.execPath, ['--input-type=module', '-e', program], { cwd: consumer });
  const listed = await run('npx', ['account-service', 'product', 'list', '--json'], {
    cwd: consumer,
    env: { ...env, DATA_DIR: data },
  });
  expect(JSON.parse(listed.stdout).length).toBeGreaterThan(3);
  expect(globSync('**', { cwd: folder }).length).toBe(before);
});
