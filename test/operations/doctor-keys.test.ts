import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';
import { aDoctoredStore } from '../support/doctored-store.ts';
import { productEntry, releaseEntry } from '../support/store-folder.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

const APP = productEntry({ id: 1, version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } });
const FIRST = releaseEntry({ id: 1, version: '1.0', build: '10' });
const SECOND = releaseEntry({ id: 2, version: '1.1', build: '11' });

let store: Doctored;
let run: (...args: string[]) => Promise<Ran>;

beforeEach(async () => {
  store = await aDoctoredStore();
  run = (...args) => cli(args, { DATA_DIR: store.dataDir });
  await store.fill({ products: [APP], releases: [FIRST] });
});

describe('the key checks of the doctor', () => {
  test('the doctor names files whose key was revoked, until a version of the key in use takes their place', async () => {
    const [{ kid: stolen }] = (await run('signing-key', 'list', '--use', 'artifact', '--json')).json();
    await run('signing-key', 'create', '--use', 'artifact');
    expect(await store.wrongs()).toEqual([]);
    expect((await run('signing-key', 'revoke', '--use', 'artifact', '--yes', '--', stolen)).code).toBe(0);
    const named = /the key was revoked: product-1 1\.0 for every platform; publish a new version .* withdraw these\.$/;
    expect(await store.wrongs()).toEqual([expect.stringMatching(named)]);
    await store.fill({ products: [APP], releases: [SECOND] });
    expect(await store.wrongs()).toEqual([expect.stringMatching(named)]);
    await run('release', 'withdraw', 'product-1', '1.0', '--reason', 'Its key was stolen.', '--yes');
    expect(await store.wrongs()).toEqual([]);
  });

  test('the doctor finds nothing wrong with files of an old key that verifies still', async () => {
    await run('signing-key', 'create', '--use', 'artifact');
    await run('signing-key', 'activate', '--use', 'artifact', '--yes');
    await store.fill({ products: [APP], releases: [SECOND] });
    expect(await store.wrongs()).toEqual([]);
  });

  test('the doctor names a replaced key file that signs nothing, and its advice makes the key the next one', async () => {
    await run('signing-key', 'create', '--use', 'artifact');
    await run('signing-key', 'activate', '--use', 'artifact', '--yes');
    const file = join(store.dataDir, 'keys', 'artifact-signing.pem');
    await writeFile(file, `${Buffer.alloc(32, 7).toString('base64')}\n`);
    const [told = ''] = await store.wrongs();
    const [, advice = ''] = /^keys: .* so that nothing signs with it; run: (.*)$/.exec(told) ?? [];
    expect((await run(...advice.split(' '), '--json')).json()).toMatchObject({ state: 'next' });
    expect(await store.wrongs()).toEqual([]);
  });

  test.each([
    'license',
    'artifact',
  ])('a repair writes a missing file of the %s key in use again, and makes no key', async (use) => {
    await run('signing-key', 'create', '--use', use);
    await run('signing-key', 'activate', '--use', use, '--yes');
    const before = (await run('signing-key', 'list', '--use', use, '--json')).json();
    const file = join(store.dataDir, 'keys', `${use}-signing.pem`);
    const text = await readFile(file, 'utf8');
    await rm(file);
    expect(await store.wrongs()).toEqual([expect.stringMatching(/^keys: .* is missing, .*; run: doctor --repair$/)]);
    expect(await run('doctor', '--repair')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await run('signing-key', 'list', '--use', use, '--json')).json()).toEqual(before);
    expect(await store.wrongs()).toEqual([]);
  });

  test('a repair leaves a key file with other content alone, and the doctor says to move it away', async () => {
    await run('signing-key', 'create', '--use', 'artifact');
    const file = join(store.dataDir, 'keys', 'artifact-signing.pem');
    await writeFile(file, 'somebody’s notes');
    expect(await run('doctor', '--repair')).toMatchObject({ code: 1 });
    expect(await readFile(file, 'utf8')).toBe('somebody’s notes');
    expect(await store.wrongs()).toEqual([expect.stringMatching(/; move it away, and run: doctor --repair$/)]);
  });
});
