import { hash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';
import { aFolder } from '../support/store-folder.ts';

let store: Awaited<ReturnType<typeof aDoctoredStore>>;
let backups: string;
let run: (...args: string[]) => Promise<Ran>;

const inKeys = (name = '') => join(store.dataDir, 'keys', name);
const keys = async () => {
  const names = (await readdir(inKeys())).filter((name) => name.includes('-signing.')).sort();
  return Promise.all(names.map(async (name) => [name, await readFile(inKeys(name), 'utf8')]));
};

beforeEach(async () => {
  store = await aDoctoredStore();
  backups = await aFolder();
  run = (...args) => cli(args, { DATA_DIR: store.dataDir });
  await store.fill(STOCKED);
  expect(await store.wrongs()).toEqual([]);
});

describe('restore --files with a folder of backups', () => {
  test('a file is restored from the newest backup that has it', async () => {
    await run('backup', backups);
    await writeFile(join(store.dataDir, 'objects', 'bytes', hash('sha256', 'tool')), 'took');
    // Backup names have a resolution of seconds.
    await pause(1100);
    expect(await run('backup', backups)).toMatchObject({ code: 1 });
    expect(await run('restore', backups, '--files')).toMatchObject({ code: 0 });
    expect(await store.wrongs()).toEqual([]);
  });

  test('lost key files are restored, and existing files stay', async () => {
    await run('signing-key', 'create', '--use', 'artifact');
    await run('backup', backups);
    const before = await keys();
    for (const [name = ''] of before) await rm(inKeys(name));
    const mended = await run('restore', backups, '--files');
    expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining('key file license-signing.1.json') });
    expect(await keys()).toEqual(before);
    expect((await run('restore', backups, '--files')).stdout).toContain('Nothing to do');
  });

  test('the newest file of a ring is restored, and an older backup does not replace it', async () => {
    await run('signing-key', 'create', '--use', 'artifact');
    await run('backup', backups);
    await run('signing-key', 'activate', '--use', 'artifact', '--yes');
    const before = await keys();
    const newest = await readFile(inKeys('artifact-signing.3.json'), 'utf8');
    await rm(inKeys('artifact-signing.3.json'));
    expect((await run('restore', backups, '--files')).stdout).toContain('Nothing to do');
    await writeFile(inKeys('artifact-signing.3.json'), newest, { mode: 0o600 });
    await pause(1100);
    await run('backup', backups);
    await rm(inKeys('artifact-signing.3.json'));
    expect(await run('restore', backups, '--files')).toMatchObject({ code: 0 });
    expect(await keys()).toEqual(before);
  });

  test('a folder without backups of the store is refused', async () => {
    expect(await run('restore', await aFolder(), '--files')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has none of this store'),
    });
  });
});
