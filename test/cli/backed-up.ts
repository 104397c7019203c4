import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { cli } from '../support/cli.ts';

/** All items except those about the backup itself: the audit log, and the record of the last run. */
export const itemsOf = (dataDir: string): unknown[] => {
  using db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  return db.prepare("SELECT * FROM items WHERE pk NOT LIKE 'AUDIT#%' AND sk != 'RUN#BACKUP' ORDER BY pk, sk").all();
};

const filesIn = async (dataDir: string, part: string): Promise<Record<string, string>> => {
  const names = (await readdir(join(dataDir, part))).sort();
  const sums = names.map(async (name) => [name, hash('sha256', await readFile(join(dataDir, part, name)))] as const);
  return Object.fromEntries(await Promise.all(sums));
};

/** Compares the items, the files and the keys of two stores. */
export const expectSame = async (copy: string, of: string): Promise<void> => {
  expect(itemsOf(copy)).toEqual(itemsOf(of));
  for (const part of ['objects/bytes', 'objects/keys', 'keys']) {
    expect(await filesIn(copy, part), part).toEqual(await filesIn(of, part));
  }
};

/** The bytes of the sample store's first artifact in a store's folder. */
export const anObject = async (dataDir: string): Promise<string> => {
  const [first = ''] = (await readdir(join(dataDir, 'objects', 'keys')))
    .filter((name) => name.startsWith('sha256+'))
    .sort();
  return join(dataDir, 'objects', 'bytes', first.slice('sha256+'.length));
};

/** The entries of the audit log about the whole store, newest first. */
export const storeEntries = async (dataDir: string) =>
  (await cli(['audit', 'list', '--action', 'store', '--json'], { DATA_DIR: dataDir })).json();
