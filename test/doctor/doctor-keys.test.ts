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
  test('the doctor names files with a revoked key until a version with the current key replaces them', async () => {
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

  test('the doctor finds nothing wrong with files of an old key that is still valid', async () => {
    await run('signing-key', 'create', '--use', 'artifact');
    await run('signing-key', 'activate', '--use', 'artifact', '--yes');
    await store.fill({ products: [APP], releases: [SECOND] });
    expect(await store.wrongs()).toEqual([]);
  });
});
