import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN } from '../../../runtimes/engines/built-in.ts';
import { killServer, startServer } from '../../processes/server.ts';
import { cli, spawnedCli } from '../../support/cli.ts';
import { OWN, VARIABLE } from './notebook.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe('the server and the command line on a team’s engine', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'account-service-own-'));
    const DATA_DIR = join(folder, 'data');
    env = { STORE: 'notebook', [VARIABLE]: join(folder, 'notebook.db'), DATA_DIR };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]) => cli(args, env, '', { engines: OWN });

  test('the server starts on the engine, and commands of another process see what it wrote', async () => {
    const server = await startServer(env['DATA_DIR'] as string, { ...env, SAMPLE_STORE: 'always' }, here('server.ts'));
    try {
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      const listed = await spawnedCli(['account', 'list', '--json'], env, '', here('cli.ts'));
      expect(listed.code).toBe(0);
      expect(JSON.stringify(listed.json())).toContain('demo@example.com');
    } finally {
      expect(await killServer(server, 'SIGTERM')).toBe(0);
    }
    expect(existsSync(join(folder, 'data', 'store.db'))).toBe(false);
  });

  test('the doctor names the engine and finds a sound store', async () => {
    const { code, stdout } = await run('doctor');
    expect(stdout).toContain('store notebook, objects filesystem');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('WRONG')]);
  });

  test('migrate copies from the engine to a folder, whose store has the same accounts', async () => {
    const target = join(folder, 'copy');
    const from = `notebook:${env[VARIABLE]},filesystem:${env['DATA_DIR']}`;
    expect(await run('migrate', '--from', from, '--to', target)).toMatchObject({ code: 0 });
    const copied = await cli(['account', 'list', '--json'], { DATA_DIR: target });
    expect(copied.json()).toEqual((await run('account', 'list', '--json')).json());
  });

  test('a backup is refused with the command that copies the store', async () => {
    const { code, stderr } = await run('backup', join(folder, 'backups'));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `migrate --from "notebook:${env[VARIABLE]},filesystem:${env['DATA_DIR']}" --to folder:DIR`,
    );
  });

  test('the help of migrate names the engine', async () => {
    expect((await run('migrate', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'also notebook:X, where X is the path of the notebook',
    );
  });

  test('the command line of the package does not know the engine', async () => {
    const { code, stderr } = await cli(['account', 'list'], env);
    expect(code).toBe(1);
    expect(stderr).toBe(`STORE takes one of ${Object.keys(BUILT_IN.tables).join(', ')}; it is "notebook".\n`);
  });
});
