import { join } from 'node:path';
import { createOnce } from '../../../adapters/crypto/secret-file.ts';
import { ringFileNumber, SINGLE_KEY_FILES } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import { readKeys } from './keys.ts';

type KeyFiles = Awaited<ReturnType<typeof readKeys>>;

const newestRing = (use: KeyUse, files: KeyFiles): number =>
  Math.max(0, ...files.map(({ name }) => ringFileNumber(use, name) ?? 0));

const has = (files: KeyFiles, name: string | undefined): boolean => files.some((file) => file.name === name);

/**
 * The files of a backup that a use lacks: every one where it has lost all, and otherwise those after its newest file of
 * a ring where that is empty, because only a file with a successor is emptied.
 */
const lacked = (use: KeyUse, there: KeyFiles, kept: KeyFiles): KeyFiles => {
  const newest = newestRing(use, there);
  const isLost =
    newest === 0
      ? !has(there, SINGLE_KEY_FILES[use])
      : there.some(({ name, bytes }) => ringFileNumber(use, name) === newest && bytes.length === 0);
  if (!isLost || (newest > 0 && newestRing(use, kept) <= newest)) return [];
  return kept.filter(
    ({ name }) => (ringFileNumber(use, name) ?? 0) > newest || (name === SINGLE_KEY_FILES[use] && !has(there, name)),
  );
};

/**
 * Copies from the keys of a backup to those of the store what the store has lost, for uses whose keys lie in files, and
 * replaces no file. Returns the names of the written files.
 */
export const mendKeys = async (backup: string, keys: string, uses: readonly KeyUse[] = KEY_USES): Promise<string[]> => {
  const [there, kept] = [await readKeys(keys), await readKeys(backup)];
  const files = uses.flatMap((use) => lacked(use, there, kept));
  return files.flatMap(({ name, bytes }) => (createOnce(join(keys, name), bytes.toString('utf8')) ? [name] : []));
};
