import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../../runtimes/express/start.ts';
import { FREE_PORTS } from '../../support/free-ports.ts';
import { aKey } from '../../surface/buyers.ts';

const run = promisify(execFile);

const HERE = import.meta.dirname;
const PEERS = join(HERE, '..');
const COMPILER = join(PEERS, '..', '..', 'node_modules', '@typescript', 'native', 'bin', 'tsc');

/** Python with its generator, and Go from PyPI, so that a machine only needs Debian's Python. */
const VENV = join(PEERS, 'node_modules', '.cache', 'generators');
const inVenv = (program: string): string => join(VENV, 'bin', program);
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const PRODUCT = 4;

describe('a client generated from the OpenAPI document of the API host', () => {
  let running: Running;
  let folder: string;
  let expected: unknown[];
  let env: NodeJS.ProcessEnv;

  const call = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${env['API_KEY']}`, 'Content-Type': 'application/json' };
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
    return (await (await fetch(env['API_URL'] + path, sent)).json()) as any;
  };

  /** A folder for one language, with the document and a program that calls the generated client. */
  const aProject = async (name: string, ...files: readonly string[]) => {
    const project = join(folder, name);
    await mkdir(join(project, 'api'), { recursive: true });
    await writeFile(join(project, 'openapi.json'), JSON.stringify(await call('/openapi.json')));
    for (const file of files) await cp(join(HERE, file), join(project, file));
    return async (program: string, ...args: readonly string[]): Promise<string> =>
      (await run(program, args, { cwd: project, env, maxBuffer: 2 ** 26 })).stdout;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-generators-'));
    running = await start(
      { STORE: 'memory', OBJECTS: 'memory', SAMPLE_STORE: 'always', ...FREE_PORTS, LOG_LEVEL: 'silent' },
      { print: () => {} },
    );
    const { value } = await aKey(running.service, 1);
    const TODAY = new Date().toISOString().slice(0, 10);
    env = { ...process.env, API_URL: running.urls.api, API_KEY: value, TODAY, GOFLAGS: '-mod=mod' };
    const path = `/api/products/${PRODUCT}`;
    const report = { kind: 'general', summary: 'A report', detail: 'From a generated client.' };
    expected = [
      (await call('/api/library')).items.length,
      (await call('/api/products?q=hash&sort=name')).products.map(({ id }: { id: number }) => id),
      (await call(path)).product.name,
      (await call(`${path}/releases`)).releases.length,
      true,
      (await call(`${path}/install?platform=linux-amd64`)).data.filename,
      'valid',
      1,
      (await call('/api/support/reports', report)).ticket.id,
      (await call('/api/invoices?limit=5')).invoices.length,
    ];
    await run('/usr/bin/python3', ['-m', 'venv', VENV]);
    await run(inVenv('pip'), ['install', '--quiet', '--requirement', join(HERE, 'requirements.txt')]);
  }, 600_000);

  afterAll(async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the client in TypeScript compiles strictly, and ten of its calls answer', async () => {
    const inProject = await aProject('typescript', 'client.mts');
    await symlink(join(PEERS, 'node_modules'), join(folder, 'typescript', 'node_modules'));
    await writeFile(join(folder, 'typescript', 'package.json'), '{ "type": "module" }');
    const generate = `import { createClient } from '@hey-api/openapi-ts';
      await createClient({ input: 'openapi.json', output: { path: 'api', importFileExtension: '.ts' }, logs: { level: 'silent' } });`;
    await inProject(process.execPath, '--input-type=module', '-e', generate);
    const flags = '--noEmit --strict --module nodenext --target es2024 --allowImportingTsExtensions --types node';
    await inProject(process.execPath, COMPILER, ...flags.split(' '), 'client.mts');
    expect(JSON.parse(await inProject(process.execPath, 'client.mts'))).toEqual(expected);
  });

  test('the client in Python is generated completely, and ten of its calls answer', async () => {
    const inProject = await aProject('python', 'client.py');
    await writeFile(join(folder, 'python', 'config.json'), '{ "post_hooks": [] }');
    const generate = 'generate --path openapi.json --config config.json --meta none --output-path api --overwrite';
    await inProject(inVenv('openapi-python-client'), ...generate.split(' '));
    expect(JSON.parse(await inProject(inVenv('python'), 'client.py'))).toEqual(expected);
  });

  test('the client in Go compiles, and ten of its calls answer', async () => {
    const inProject = await aProject('go', 'client.go', 'go.mod');
    const generate = '-generate models,client -package api -o api/api.go openapi.json';
    await inProject(inVenv('go'), 'run', OAPI_CODEGEN, ...generate.split(' '));
    expect(JSON.parse(await inProject(inVenv('go'), 'run', '.'))).toEqual(expected);
  }, 600_000);
});
