import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { PROJECT } from './setup.ts';
import { node } from './support.ts';

const manifest: { readonly exports: object; readonly version: string } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
);
const ENTRIES = Object.keys(manifest.exports)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => name.replace(/^\./, 'account-service'));
const COMPILER = join(PROJECT, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

/** The entries that need packages which a bare install lacks. */
const OPTIONAL = [
  'account-service/contracts',
  'account-service/dynamodb',
  'account-service/postgres',
  'account-service/s3',
];

/** Imports the entries, and prints the names of all loaded packages, and the errors. */
const importing = async (project: 'bare' | 'full', names: readonly string[]) => {
  const program = `import { registerHooks } from 'node:module';
    const [loaded, failed] = [new Set(), []];
    registerHooks({ load: (url, context, next) => {
      const name = url.split('/node_modules/').at(-1).split('/');
      if (url.startsWith('file:')) loaded.add(name[0].startsWith('@') ? name.slice(0, 2).join('/') : name[0]);
      return next(url, context);
    } });
    for (const name of ${JSON.stringify(names)}) await import(name).catch((error) => failed.push(name + ': ' + error.message));
    console.log(JSON.stringify({ loaded: [...loaded].sort(), failed }));`;
  const { stdout } = await node(project, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout) as { loaded: string[]; failed: string[] };
};

describe('the entries of the installed package', () => {
  test('the package has at most sixteen entries', () => {
    expect(Object.keys(manifest.exports).length).toBeLessThanOrEqual(16);
  });

  test('every entry can be imported with the optional packages installed', async () => {
    const names = ENTRIES.filter((name) => !name.endsWith('/contracts'));
    expect((await importing('full', names)).failed).toEqual([]);
  });

  test('a bare install imports all entries except those of AWS and the contracts, and loads no optional package', async () => {
    const { loaded, failed } = await importing(
      'bare',
      ENTRIES.filter((name) => !OPTIONAL.includes(name)),
    );
    expect(failed).toEqual([]);
    expect(loaded.filter((name) => /aws|jimp|scalar|prometheus/.test(name))).toEqual([]);
  });

  test.each(['rules', 'ports', 'use-cases'])('the entry account-service/%s loads no other package', async (name) => {
    expect((await importing('bare', [`account-service/${name}`])).loaded).toEqual(['account-service']);
  });

  test('every example and a program with all entries compile in a project set up by the guide, with all declarations checked', async () => {
    const lines = ENTRIES.map((name, at) => `import * as entry${at} from '${name}';\nvoid entry${at};\n`);
    await writeFile(join(inject('full'), 'every-entry.ts'), lines.join(''));
    const guide = await readFile(join(PROJECT, 'docs', 'extending.md'), 'utf8');
    const [, settings = ''] = /^npx tsc (--init (?:.*\\\n)*.*)$/m.exec(guide) ?? [];
    await node('full', [COMPILER, ...settings.split(/[\s\\]+/)]);
    const { stdout } = await node('full', [COMPILER, '--skipLibCheck', 'false']).catch((error) => error);
    // The declarations of lmdb have an error of their own, which `tsc --init` ignores like that of any library.
    expect(stdout.replaceAll(/^\S+\/lmdb\/index\.d\.ts\(.*\n/gm, '')).toBe('');
  });

  test('publint finds nothing wrong', async () => {
    const publint = join(PROJECT, 'test', 'peers', 'node_modules', 'publint', 'src', 'cli.js');
    const { stdout } = await node('bare', [publint, 'run', inject('tarball'), '--strict']);
    expect(stdout).toContain('All good!');
  });
});

describe('a bare install', () => {
  const PORTS = {
    API_PORT: '0',
    APP_PORT: '0',
    DESIGN_PORT: '0',
    ACCOUNT_PORT: '0',
    SHOP_PORT: '0',
    LOG_LEVEL: 'silent',
  };
  const main = 'node_modules/account-service/dist/runtimes/cli/main.js';
  const env = { DATA_DIR: join(inject('bare'), 'data') };

  test('the server starts with the sample store, and its reference page says what to install', async () => {
    const program = `import { start } from 'account-service';
      const { urls, stop } = await start(process.env, { print: () => {} });
      const document = await fetch(urls.api + '/openapi.json');
      const page = await fetch(urls.api + '/docs');
      console.log(JSON.stringify([document.status, page.status, await page.text()]));
      await stop();`;
    const { stdout } = await node('bare', ['--input-type=module', '-e', program], { ...PORTS, ...env });
    expect(JSON.parse(stdout)).toEqual([
      200,
      501,
      expect.stringMatching(/npm install @scalar\/fastify-api-reference\n$/),
    ]);
    const { stdout: listed } = await node('bare', [main, 'product', 'list', '--json'], env);
    expect(JSON.parse(listed).length).toBeGreaterThan(3);
  });

  test.each([
    [
      { STORE: 'dynamodb', TABLE_NAME: 'shop' },
      'The engine dynamodb needs packages that are not installed: npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb\n',
    ],
    [{ METRICS_PORT: '0' }, 'METRICS_PORT needs packages that are not installed: npm install @prometheus-io/client\n'],
  ])('a start with %o says which packages to install', async (settings, said) => {
    const program = `import { start, untilStopped } from 'account-service'; untilStopped(start(process.env));`;
    const starting = node('bare', ['--input-type=module', '-e', program], { ...PORTS, ...env, ...settings } as never);
    await expect(starting).rejects.toMatchObject({ code: 1, stderr: said });
  });

  test('a first use of S3, and a first thumbnail, say which packages to install', async () => {
    const settings = { ...PORTS, ...env, OBJECTS: 's3', BUCKET_NAME: 'shop', SAMPLE_STORE: 'never' };
    const program = `import { start } from 'account-service';
      const { service, stop } = await start(process.env, { print: () => {} });
      await service.get('objects').ping().catch(({ message }) => console.log(message));
      await service.get('imageReader').thumbnail(new Uint8Array(8)).catch(({ message }) => console.log(message));
      await stop();`;
    const { stdout } = await node('bare', ['--input-type=module', '-e', program], settings);
    expect(stdout.trim().split('\n')).toEqual([
      'The engine s3 needs packages that are not installed: npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner',
      expect.stringMatching(/^A thumbnail needs packages that are not installed: npm install @jimp\/core /),
    ]);
  });

  test('the command prints its version and commands, works on a store, and exits with 2 for wrong usage', async () => {
    expect((await node('bare', [main, '--version'])).stdout).toBe(`${manifest.version}\n`);
    expect((await node('bare', [main, '--help'])).stdout).toContain('publish');
    const { stdout } = await node('bare', [main, 'account', 'add', '--email', 'ada@example.com', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'ada@example.com' });
    await expect(node('bare', [main, 'account', 'lend'])).rejects.toMatchObject({ code: 2 });
  });

  test('an older Node says in one sentence what it lacks', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.4.0' } });`;
    const program = `import { start, untilStopped } from 'account-service'; untilStopped(start(process.env));`;
    for (const args of [[main], ['--input-type=module', '-e', program]]) {
      const running = node('bare', ['--import', `data:text/javascript,${encodeURIComponent(older)}`, ...args]);
      await expect(running).rejects.toMatchObject({
        code: 1,
        stderr: 'account-service needs Node 24 or newer, and this is Node 22.4.0.\n',
      });
    }
  });
});
