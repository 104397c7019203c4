import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce, loadOrCreateText } from '../../adapters/crypto/secret-file.ts';
import { ringFileNumber } from '../../adapters/crypto/signing-key-ring-files.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';

/** The texts of key files by name. */
export type KeyFiles = ReadonlyMap<string, string>;

/** The maximum number of key rotations during one read. */
const LOOKS = 10;

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && !entry.name.endsWith('.tmp') ? [entry.name] : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/**
 * The key files of a folder as of one moment; none if it does not exist. A change of keys creates the next file before
 * it empties the previous one, so if a folder has the same names before and after the read, no emptied keys were read.
 */
export const readKeys = async (folder: string): Promise<KeyFiles> => {
  for (let look = 0; look < LOOKS; look++) {
    const names = await namesIn(folder);
    const files = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
    const read = new Map(await Promise.all(files));
    if ((await namesIn(folder)).join() === names.join()) return read;
  }
  throw new Error(`The keys in ${folder} change all the time; run the command again when nobody changes them.`);
};

/** Writes key files that the folder lacks, readable only by their owner, and reads them again. */
export const writeKeys = (folder: string, files: Iterable<readonly [name: string, text: string]>): void => {
  for (const [name, text] of files) {
    if (loadOrCreateText(join(folder, name), () => text) === text) continue;
    throw new Error(`${join(folder, name)} has another text than it was given; run the command again.`);
  }
};

/**
 * The names of the target's files that are not copies of the source's keys. A change in the source has emptied its
 * file.
 */
export const otherKeys = async (from: string, to: string): Promise<readonly string[]> => {
  const [mine, theirs] = [await readKeys(from), await readKeys(to)];
  return [...mine].flatMap(([name, text]) => (text !== '' && (theirs.get(name) ?? text) !== text ? [name] : []));
};

/** Copies the key files that the target lacks. Returns the number of files copied, and of all files. */
export const copyKeys = async (from: string, to: string): Promise<{ copied: number; files: number }> => {
  const [mine, theirs] = [await readKeys(from), await readKeys(to)];
  const lacking = [...mine].filter(([name]) => !theirs.has(name));
  writeKeys(to, lacking);
  return { copied: lacking.length, files: mine.size };
};

const newestRing = (use: KeyUse, files: KeyFiles): number =>
  Math.max(-1, ...[...files.keys()].map((name) => ringFileNumber(use, name) ?? -1));

/**
 * The files of a backup that a use lacks: all if there is none, or those after its newest ring file if that is empty,
 * because only a file with a successor is emptied.
 */
const lacked = (use: KeyUse, there: KeyFiles, stored: KeyFiles) => {
  const newest = newestRing(use, there);
  const isLost = [...there].every(([name, text]) => ringFileNumber(use, name) !== newest || text === '');
  return isLost ? [...stored].filter(([name]) => (ringFileNumber(use, name) ?? -1) > newest) : [];
};

/**
 * Copies the keys of uses whose keys a store has lost from a backup, and replaces no file. Returns the files' names.
 */
export const mendKeys = async (backup: string, keys: string, uses: readonly KeyUse[]): Promise<string[]> => {
  const [there, stored] = [await readKeys(keys), await readKeys(backup)];
  const files = uses.flatMap((use) => lacked(use, there, stored));
  return files.flatMap(([name, text]) => (createOnce(join(keys, name), text) ? [name] : []));
};
