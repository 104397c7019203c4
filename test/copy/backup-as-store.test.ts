import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { cli } from '../support/cli.ts';
import { aDoctoredStore, STOCKED, URLS } from '../support/doctored-store.ts';
import { aFolder } from '../support/store-folder.ts';

test('commands and servers refuse the folder of a backup as their store, even for a user who may write it', async () => {
  const store = await aDoctoredStore();
  await store.fill(STOCKED);
  const backups = await aFolder();
  await cli(['backup', backups], { DATA_DIR: store.dataDir });
  const [name = ''] = await readdir(backups);
  const backup = join(backups, name);
  const before = await readdir(backup);
  const sentence = `DATA_DIR ${backup} is a backup, which stays as it is; create a store from it: restore ${backup} --to FOLDER`;
  expect(await cli(['key', 'list', '--account', '1'], { DATA_DIR: backup })).toMatchObject({
    code: 1,
    stderr: `${sentence}\n`,
  });
  await expect(openEngines(readConfig({ DATA_DIR: backup }), URLS)).rejects.toThrow(sentence);
  expect(await readdir(backup)).toEqual(before);
});
