import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce, loadOrCreateText, replaceWhole } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import {
  ringFileNumber,
  SINGLE_KEY_FILES,
  SigningKeyRingFiles,
} from '../../../adapters/crypto/signing-key-ring-files.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';

/** The texts of key files by their names. */
export type KeyFiles = ReadonlyMap<string, string>;

/** Rotations of keys that may fall into one reading, before it gives up. */
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
 * The key files of a folder as they were at one moment; none where there is no folder. A change of keys makes the next
 * file before it empties the one before, so that a folder with the same names before and after the reading has given no
 * emptied keys.
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

/** Writes key files that the folder lacks, for their owner alone, and reads them again. */
export const writeKeys = (folder: string, files: Iterable<readonly [name: string, text: string]>): void => {
  for (const [name, text] of files) {
    if (loadOrCreateText(join(folder, name), () => text) === text) continue;
    throw new Error(`${join(folder, name)} has another text than it was given; run the command again.`);
  }
};

/** True for the file of a single key that holds an earlier key of the ring in `folder`. */
const isOfBefore = async (folder: string, name: string, text: string): Promise<boolean> => {
  const use = KEY_USES.find((one) => SINGLE_KEY_FILES[one] === name);
  const key = parseSigningKey(text);
  if (use === undefined || !key) return false;
  const { ring } = await new SigningKeyRingFiles(folder, use).read();
  return ring.some(({ kid, d }) => kid === keyPartsOf(key).kid && d === null);
};

/**
 * The files that both folders have with different contents: `outdated` were copied before the key in use changed, and
 * `other` never. A ring has replaced the keys of an empty file of the source.
 */
const differing = async (from: string, mine: KeyFiles, theirs: KeyFiles) => {
  const found = { outdated: [] as string[], other: [] as string[] };
  for (const [name, text] of mine) {
    const there = theirs.get(name);
    if (text === '' || there === undefined || there === text) continue;
    found[(await isOfBefore(from, name, there)) ? 'outdated' : 'other'].push(name);
  }
  return found;
};

/** The names of the target's files that a copy of the source's keys never had. */
export const otherKeys = async (from: string, to: string): Promise<readonly string[]> =>
  (await differing(from, await readKeys(from), await readKeys(to))).other;

/**
 * Copies the key files that the target lacks or has from before a rotation. Returns the number of files copied, and of
 * all files.
 */
export const copyKeys = async (from: string, to: string): Promise<{ copied: number; files: number }> => {
  const [mine, theirs] = [await readKeys(from), await readKeys(to)];
  const { outdated } = await differing(from, mine, theirs);
  const lacking = [...mine].filter(([name]) => !theirs.has(name));
  writeKeys(to, lacking);
  for (const name of outdated) replaceWhole(join(to, name), mine.get(name) ?? '');
  return { copied: lacking.length + outdated.length, files: mine.size };
};

const newestRing = (use: KeyUse, files: KeyFiles): number =>
  Math.max(0, ...[...files.keys()].map((name) => ringFileNumber(use, name) ?? 0));

/**
 * The files of a backup that a use lacks: every one where it has lost all, and otherwise those after its newest file of
 * a ring where that is empty, because only a file with a successor is emptied.
 */
const lacked = (use: KeyUse, there: KeyFiles, kept: KeyFiles) => {
  const newest = newestRing(use, there);
  const single = SINGLE_KEY_FILES[use] ?? '';
  const ofNewest = [...there].find(([name]) => newest > 0 && ringFileNumber(use, name) === newest);
  const isLost = ofNewest ? ofNewest[1] === '' : !there.has(single);
  if (!isLost || (newest > 0 && newestRing(use, kept) <= newest)) return [];
  return [...kept].filter(
    ([name]) => (ringFileNumber(use, name) ?? 0) > newest || (name === single && !there.has(name)),
  );
};

/** Copies from a backup the keys of the uses that a store has lost, and replaces no file. Returns the files' names. */
export const mendKeys = async (backup: string, keys: string, uses: readonly KeyUse[]): Promise<string[]> => {
  const [there, kept] = [await readKeys(keys), await readKeys(backup)];
  const files = uses.flatMap((use) => lacked(use, there, kept));
  return files.flatMap(([name, text]) => (createOnce(join(keys, name), text) ? [name] : []));
};
