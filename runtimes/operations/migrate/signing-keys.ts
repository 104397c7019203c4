import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadOrCreateText } from '../../../adapters/crypto/secret-file.ts';
import type { Place } from './place.ts';

const filesIn = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && !entry.name.endsWith('.tmp') ? [entry.name] : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** The files of the source that the target has with another content. An empty one held keys that a later one replaced. */
export const keysUnlike = async (from: Place, to: Place): Promise<string[]> => {
  if (from.keysFolder === undefined || to.keysFolder === undefined) return [];
  const [source, target] = [from.keysFolder, to.keysFolder];
  const [mine, theirs] = await Promise.all([filesIn(source), filesIn(target)]);
  const both = mine.filter((name) => theirs.includes(name));
  const texts = await Promise.all(
    both.map((name) => Promise.all([source, target].map((folder) => readFile(join(folder, name), 'utf8')))),
  );
  return both.filter((_, i) => texts[i]?.[0] !== '' && texts[i]?.[0] !== texts[i]?.[1]);
};

export type KeysCopied = { readonly copied: number; readonly files: number };

/**
 * Copies the keys that the target lacks, for its owner alone (mode 0600), and tells how many that were of how many.
 * Undefined where one of the sides doesn't keep its keys in a folder: then nothing is copied.
 */
export const copyKeys = async (from: Place, to: Place): Promise<KeysCopied | undefined> => {
  if (from.keysFolder === undefined || to.keysFolder === undefined) return undefined;
  const [source, target] = [from.keysFolder, to.keysFolder];
  const names = await filesIn(source);
  const there = await filesIn(target);
  const lacking = names.filter((name) => !there.includes(name));
  if (lacking.length > 0) await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of lacking) {
    const text = await readFile(join(source, name), 'utf8');
    if (loadOrCreateText(join(target, name), () => text) !== text) {
      throw new Error(`${join(target, name)} was made by somebody else meanwhile, with another content.`);
    }
  }
  return { copied: lacking.length, files: names.length };
};
