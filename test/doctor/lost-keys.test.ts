import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { KEY_USES } from '../../domain/signing/key-use.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { cli, type Ran } from '../support/cli.ts';
import { aDoctoredStore, URLS } from '../support/doctored-store.ts';
import { productEntry, releaseEntry } from '../support/store-folder.ts';

const APP = productEntry({ id: 1, version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } });

let store: Awaited<ReturnType<typeof aDoctoredStore>>;
let run: (...args: string[]) => Promise<Ran>;

const keys = () => readdir(join(store.dataDir, 'keys'));
const lose = async (use: string): Promise<void> => {
  for (const name of await keys()) if (name.startsWith(`${use}-signing.`)) await rm(join(store.dataDir, 'keys', name));
};

beforeEach(async () => {
  store = await aDoctoredStore();
  run = (...args) => cli(args, { DATA_DIR: store.dataDir });
  await store.fill({ products: [APP], releases: [releaseEntry({ id: 1, version: '1.0', build: '10' })] });
});

describe('keys whose files are lost', () => {
  test.each(
    KEY_USES,
  )('the doctor reports lost %s keys, says to copy them from a backup, and creates none', async (use) => {
    expect(await store.wrongs()).toEqual([]);
    await lose(use);
    const left = await keys();
    const told = [expect.stringMatching(/^keys: The keys that sign .* are lost: .* copy these files from a backup/)];
    expect(await store.wrongs()).toEqual(told);
    expect(await keys()).toEqual(left);
  });

  test('a server refuses to create a license key if the store had one', async () => {
    await lose('license');
    await expect(openEngines(readConfig({ DATA_DIR: store.dataDir }), URLS)).rejects.toThrow('license tokens are lost');
    expect(await keys()).not.toContain('license-signing.1.json');
  });

  test('a command refuses to create a file key if the store had one', async () => {
    await lose('artifact');
    expect(await run('artifact-key')).toMatchObject({ code: 1, stderr: expect.stringContaining('are lost') });
    expect(await keys()).not.toContain('artifact-signing.1.json');
  });

  test('an operator’s own key replaces the lost one', async () => {
    await lose('artifact');
    const file = join(store.dataDir, 'own.pem');
    await writeFile(file, `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
    const created = await run('signing-key', 'create', '--use', 'artifact', '--from', file, '--json');
    expect(created.json()).toMatchObject({ state: 'current' });
    expect((await run('artifact-key')).code).toBe(0);
  });

  test('the doctor names the newest file of a ring if only it is lost', async () => {
    for (const command of ['create', 'activate', 'create']) {
      await run('signing-key', command, '--use', 'artifact', ...(command === 'activate' ? ['--yes'] : []));
    }
    await rm(join(store.dataDir, 'keys', 'artifact-signing.4.json'));
    expect(await store.wrongs()).toEqual([expect.stringMatching(/^keys: .*artifact-signing\.4\.json or a later one/)]);
  });

  test('the doctor creates no key for a store that never had one', async () => {
    const fresh = await aDoctoredStore();
    expect((await cli(['account', 'add', '--email', 'a@example.com'], { DATA_DIR: fresh.dataDir })).code).toBe(0);
    expect(await fresh.wrongs()).toEqual([]);
    expect(existsSync(join(fresh.dataDir, 'keys', 'license-signing.1.json'))).toBe(false);
  });
});
