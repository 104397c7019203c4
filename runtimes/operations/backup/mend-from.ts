import { dirname, join } from 'node:path';
import { createOnce } from '../../../adapters/crypto/secret-file.ts';
import { ringFileNumber, SINGLE_KEY_FILES } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { storeIdKey } from '../../../adapters/store/keys/operations.ts';
import type { TypedTable } from '../../../adapters/store/typed-table.ts';
import type { MendedFiles } from '../../../application/operations/mend-files.ts';
import type { Progress } from '../../../application/operations/progress.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import type { Config } from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import type { Service } from '../../composition/service.ts';
import { backupsIn } from './folders.ts';
import { readKeys } from './keys.ts';
import { readManifest } from './manifest.ts';
import { objectsIn, partsOf } from './parts.ts';

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
const mendKeys = async (backup: string, keys: string, uses: readonly KeyUse[] = KEY_USES): Promise<string[]> => {
  const [there, kept] = [await readKeys(keys), await readKeys(backup)];
  const files = uses.flatMap((use) => lacked(use, there, kept));
  return files.flatMap(({ name, bytes }) => (createOnce(join(keys, name), bytes.toString('utf8')) ? [name] : []));
};

export type MendedFrom = MendedFiles & {
  /** The names of the key files that were lost and are there again. */
  readonly keys: readonly string[];
};

/** The backups to mend from, newest first: the folder itself, or those of the store in it. */
const candidates = async (folder: string, store: string): Promise<string[]> => {
  if (await readManifest(folder)) return [folder];
  try {
    return (await backupsIn(folder, store)).reverse().map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

/**
 * Writes again, from a backup or from the newest of a folder of backups that have them, the files and the keys that the
 * store has lost or damaged. A file is written only if the backup has the very bytes of its record, and keys only from
 * backups of this store; everything else stays as it is. A server may use the store meanwhile.
 */
export const mendFrom = async (
  service: Service,
  { dataDir, keySecrets }: Config,
  folder: string,
  permit: Permit,
  progress: Progress,
): Promise<Outcome<MendedFrom, 'no_backup'>> => {
  const table: TypedTable = service.get('table');
  const store = (await table.get(storeIdKey))?.data.id ?? '';
  const backups = await candidates(folder, store);
  if (backups.length === 0) {
    const message = `${folder} is no complete backup and has none of this store; name a folder that "backup" has made, or the folder of all backups.`;
    return refuse('no_backup', { message });
  }
  const uses = KEY_USES.filter((use) => keySecrets[use] === '');
  const keys: string[] = [];
  for (const backup of backups) {
    if ((await readManifest(backup))?.store !== store) continue;
    keys.push(...(await mendKeys(partsOf(backup).keys, dirname(dataFiles(dataDir).licenseKey), uses)));
  }
  const mended: MendedFiles['mended'][number][] = [];
  let left: MendedFiles['left'] = [];
  for (const backup of backups) {
    const done = await service.get('mendFiles')(permit, { copy: objectsIn(backup), from: backup, progress });
    mended.push(...done.mended);
    left = done.left;
    if (left.length === 0) break;
  }
  return ok({ mended, left, keys });
};
