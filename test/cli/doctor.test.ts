import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { addFiles, productEntry } from '../support/store-folder.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/store/store.json', import.meta.url));

let folder: string;
let env: { DATA_DIR: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  env = { DATA_DIR: join(folder, 'data') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test(
  'the doctor of a new shop exits with 0, and following its next steps leaves only the mail server',
  { timeout: 60_000 },
  async () => {
    await addFiles(folder, { 'empty.json': '{"format": 1}' });
    expect(await cli(['import', join(folder, 'empty.json')], env)).toMatchObject({ code: 0 });
    const steps = async (): Promise<string[]> => {
      const { code, stdout } = await cli(['doctor'], env);
      expect(code).toBe(0);
      return stdout.split('\n').flatMap((line) => /^next {3}(\S+)/.exec(line)?.[1] ?? []);
    };
    expect(await steps()).toEqual(['policy', 'catalog', 'accounts', 'mail', 'backup']);
    expect(await cli(['signing-key', 'create'], env)).toMatchObject({ code: 0 });
    expect(await cli(['import', SAMPLE], env)).toMatchObject({ code: 0 });
    expect(await cli(['backup', join(folder, 'backups')], env)).toMatchObject({ code: 0 });
    expect(await steps()).toEqual(['mail']);
  },
);

test(
  'publishing the same file again repairs its damaged bytes, as the doctor advises',
  { timeout: 60_000 },
  async () => {
    const product = productEntry({ id: 1, slug: 'tool' });
    await addFiles(folder, {
      'store.json': JSON.stringify({ format: 1, products: [product] }),
      'tool.zip': 'the tool',
    });
    expect(await cli(['import', join(folder, 'store.json')], env)).toMatchObject({ code: 0 });
    const publish = () => cli(['publish', 'tool', join(folder, 'tool.zip'), '--version', '1.0.0', '--json'], env);
    expect(await publish()).toMatchObject({ code: 0 });
    const [name = ''] = await readdir(join(env.DATA_DIR, 'objects', 'bytes'));
    const bytes = join(env.DATA_DIR, 'objects', 'bytes', name);
    await writeFile(bytes, 'the tooL');
    const found = await cli(['doctor'], env);
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(
      /^WRONG {2}files .*tool 1\.0\.0 for every platform.*publish the same file as the same version again/m,
    );
    expect((await publish()).json()).toMatchObject({ result: 'unchanged' });
    expect(await readFile(bytes, 'utf8')).toBe('the tool');
    expect(await cli(['doctor'], env)).toMatchObject({ code: 0 });
  },
);
