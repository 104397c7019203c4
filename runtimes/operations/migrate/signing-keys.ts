import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadOrCreateText, replaceWhole } from '../../../adapters/crypto/secret-file.ts';
import { keyFilesIn } from '../key-files.ts';
import type { Place } from './place.ts';
import { singleKeysOfBefore } from './single-key-files.ts';

/**
 * The files that both sides have with different contents, where the target's is no earlier copy: a ring has replaced
 * the keys of an empty file of the source, and the single key of a file that it knows as an old one.
 */
export const keysUnlike = async (from: Place, to: Place): Promise<string[]> => {
  if (from.keysFolder === undefined || to.keysFolder === undefined) return [];
  const [source, target] = [from.keysFolder, to.keysFolder];
  const [mine, theirs] = await Promise.all([keyFilesIn(source), keyFilesIn(target)]);
  const both = mine.filter((name) => theirs.includes(name));
  const texts = await Promise.all(
    both.map((name) => Promise.all([source, target].map((folder) => readFile(join(folder, name), 'utf8')))),
  );
  const before = await singleKeysOfBefore(source, target, both);
  return both.filter((name, i) => {
    const [here, there] = texts[i] ?? [];
    return here !== '' && here !== there && !before.includes(name);
  });
};

export type KeysCopied = { readonly copied: number; readonly files: number };

/**
 * Copies the key files that the target lacks or has from before a rotation, for their owner alone (mode 0600). Returns
 * the number of files copied and of all files. Undefined, with nothing copied, if one side does not keep its keys in a
 * folder.
 */
export const copyKeys = async (from: Place, to: Place): Promise<KeysCopied | undefined> => {
  if (from.keysFolder === undefined || to.keysFolder === undefined) return undefined;
  const [source, target] = [from.keysFolder, to.keysFolder];
  const names = await keyFilesIn(source);
  const there = await keyFilesIn(target);
  const lacking = names.filter((name) => !there.includes(name));
  if (lacking.length > 0) await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of lacking) {
    const text = await readFile(join(source, name), 'utf8');
    if (loadOrCreateText(join(target, name), () => text) !== text) {
      throw new Error(`${join(target, name)} was created by another process meanwhile, with other content.`);
    }
  }
  const outdated = await singleKeysOfBefore(source, target, there);
  for (const name of outdated) replaceWhole(join(target, name), await readFile(join(source, name), 'utf8'));
  return { copied: lacking.length + outdated.length, files: names.length };
};
