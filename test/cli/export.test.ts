import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/store/store.json', import.meta.url));

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  expect(await cli(['import', SAMPLE], { DATA_DIR: at('from') })).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const changed = (counts: Record<string, { created: number; updated: number }>): number =>
  Object.values(counts).reduce((sum, { created = 0, updated = 0 }) => sum + created + updated, 0);

test(
  'an export of the sample store changes nothing in it and creates the same store from an empty one',
  { timeout: 60_000 },
  async () => {
    const out = await cli(['export', at('out'), '--json'], { DATA_DIR: at('from') });
    expect(out).toMatchObject({ code: 0, stderr: '' });
    expect(out.json()).toMatchObject({ folder: at('out'), documents: ['store.json'] });
    const file = join(at('out'), 'store.json');
    const audited = await cli(['audit', 'list', '--json'], { DATA_DIR: at('from') });
    expect(audited.stdout).toContain('store.export_begun');
    const again = await cli(['import', file, '--json'], { DATA_DIR: at('from') });
    expect(again.code).toBe(0);
    expect(changed(again.json())).toBe(0);
    // The same keys give the same signatures of the same files.
    await cp(join(at('from'), 'keys'), join(at('to'), 'keys'), { recursive: true });
    expect(await cli(['import', file], { DATA_DIR: at('to') })).toMatchObject({ code: 0 });
    expect(await cli(['export', at('twice'), '--json'], { DATA_DIR: at('to') })).toMatchObject({ code: 0 });
    const text = async (name: string) =>
      (await readFile(join(at(name), 'store.json'), 'utf8')).replace(/"exported_at": "[^"]+"/, '');
    expect(await text('twice')).toBe(await text('out'));
    expect((await readdir(at('twice'), { recursive: true })).sort()).toEqual(
      (await readdir(at('out'), { recursive: true })).sort(),
    );
  },
);

test('an export says what it omits, and refuses a folder that is not empty', async () => {
  const told = await cli(['export', at('told')], { DATA_DIR: at('from') });
  expect(told.stdout).toMatch(/has no API keys, signing keys, devices, usage/);
  const refused = await cli(['export', at('told')], { DATA_DIR: at('from') });
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('is not empty; name a new folder'),
  });
});

test('an export into the folder of an interrupted one says so, and leaves no entry', async () => {
  await mkdir(at('half'));
  await writeFile(join(at('half'), 'store.json.partial'), '{');
  const begun = () => cli(['audit', 'list', '--action', 'store', '--json'], { DATA_DIR: at('from') });
  const before = (await begun()).json();
  expect(await cli(['export', at('half')], { DATA_DIR: at('from') })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /holds a part of an export that broke off; remove the folder, and run the command again\.\n$/,
    ),
  });
  expect((await begun()).json()).toEqual(before);
});
