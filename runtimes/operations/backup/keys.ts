import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFilesIn } from '../key-files.ts';
import type { Manifest } from './manifest.ts';

type KeyFile = { readonly name: string; readonly bytes: Buffer };

/** Rotations of keys that may fall into one reading, before it gives up. */
const LOOKS = 10;

/**
 * The key files of a folder as they were at one moment. A change of the policy's keys makes the next file before it
 * empties the one before, so that a folder with the same names before and after the reading has given no emptied keys.
 */
export const readKeys = async (folder: string): Promise<KeyFile[]> => {
  for (let look = 0; look < LOOKS; look++) {
    const names = await keyFilesIn(folder);
    const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
    if ((await keyFilesIn(folder)).join() === names.join()) return files;
  }
  throw new Error(`The keys in ${folder} change all the time; run the command again when nobody changes them.`);
};

/** Writes key files for their owner alone. */
export const writeKeys = async (folder: string, files: readonly KeyFile[]): Promise<void> => {
  for (const { name, bytes } of files)
    await writeFile(join(folder, name), bytes, { mode: 0o600, flag: 'wx', flush: true });
};

/** The names and sums of key files, for the manifest. */
export const keySums = (files: readonly KeyFile[]): Manifest['keys'] =>
  files.map(({ name, bytes }) => ({ name, sha256: hash('sha256', bytes) }));
