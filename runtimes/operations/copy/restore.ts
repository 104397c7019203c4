import { copyFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { syncFolder } from '../../../adapters/filesystem/durable-files.ts';
import { storeIdKey } from '../../../adapters/store/keys/operations.ts';
import type { TypedTable } from '../../../adapters/store/typed-table.ts';
import { type Progress, unseen } from '../../../application/operations/progress.ts';
import type { MendedFiles } from '../../../application/operations/stored-files.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { KEY_USES } from '../../../domain/signing/key-use.ts';
import type { Config } from '../../composition/config.ts';
import { dataFiles, makeFolder } from '../../composition/data-dir.ts';
import type { Service } from '../../composition/service.ts';
import {
  backupsIn,
  copyFolder,
  examineFolder,
  inNewFolder,
  liesIn,
  type Manifest,
  namesIn,
  needSpace,
  readManifest,
} from './backups.ts';
import { mendKeys } from './keys.ts';
import { objectsIn } from './objects.ts';

/** The most faults that are told. */
const TOLD = 10;

/** The faults of a folder beside the manifest of a backup; none if it holds exactly what was backed up. */
const faultsBeside = async (manifest: Manifest, folder: string, progress: Progress): Promise<Fault[]> => {
  const { table, objects } = dataFiles(folder);
  const { facts, faults } = await examineFolder(folder, manifest.objects.bytes, progress);
  const differing = manifest.keys.filter(
    ({ name, sha256 }) => facts.keys.find((one) => one.name === name)?.sha256 !== sha256,
  );
  const counts = `has ${facts.objects.objects} files, and the backup was made with ${manifest.objects.objects} and other sums`;
  return [
    ...(facts.database.sha256 === manifest.database.sha256
      ? []
      : [{ path: table, message: 'has changed since the backup was made' }]),
    ...faults,
    ...(facts.objects.sha256 === manifest.objects.sha256 ? [] : [{ path: objects, message: counts }]),
    ...differing.map(({ name }) => ({ path: name, message: 'is no longer the key that was backed up' })),
  ].slice(0, TOLD);
};

export type RestoreSummary = { readonly backup: string; readonly to: string; readonly manifest: Manifest };

export type NotRestored = 'no_backup' | 'target_not_empty' | 'damaged_backup' | 'not_equal';

/** The folder in the target in which the store is put together. */
const UNFINISHED = '.restoring';

/** Names that a fresh disk has by itself, and what an interrupted restore has left. */
const COUNT_AS_NOTHING = ['lost+found', UNFINISHED];

/**
 * Makes a store from a backup, in a folder that is missing or empty. The backup is compared with its manifest before,
 * and the store after. A restore that was interrupted begins anew. Throws a one-line error if the disk is full.
 */
export const restore = async (
  from: string,
  target: string,
  progress: Progress = unseen,
): Promise<Outcome<RestoreSummary, NotRestored>> => {
  const [backup, to] = [resolve(from), resolve(target)];
  const manifest = await readManifest(backup);
  if (!manifest) {
    return refuse('no_backup', { message: `${backup} is no complete backup; name a folder that "backup" has made.` });
  }
  const there = (await namesIn(to)).filter((name) => !COUNT_AS_NOTHING.includes(name));
  if (there.length > 0 || (await liesIn(to, backup))) {
    const why = there.includes('store.db') ? 'holds a store' : 'is not empty';
    return refuse('target_not_empty', { message: `${to} ${why}; name a folder that is empty. Nothing was restored.` });
  }
  const faults = await faultsBeside(manifest, backup, progress);
  if (faults.length > 0) {
    const message = `${backup} is no longer as it was made, so nothing was restored; take another backup. The first differences:`;
    return refuse('damaged_backup', { message, data: { faults } });
  }
  const { bytes } = manifest.objects;
  makeFolder(to);
  await needSpace(to, manifest.database.bytes + bytes);
  const unfinished = join(to, UNFINISHED);
  await rm(unfinished, { recursive: true, force: true });
  return inNewFolder(unfinished, to, async () => {
    const lost = await copyFolder(backup, unfinished, { copyTable: copyFile, mode: 0o600, bytes, progress });
    if (lost.length > 0)
      throw new Error(`The file ${lost[0]} of ${backup} was damaged meanwhile; take another backup.`);
    const unlike = await faultsBeside(manifest, unfinished, progress);
    if (unlike.length > 0) {
      const message = `The store in ${to} differs from its backup, and was removed; look at the disk. The first differences:`;
      return refuse('not_equal', { message, data: { faults: unlike } });
    }
    // The database comes last: without it, the folder is no store.
    const [made, placed] = [dataFiles(unfinished), dataFiles(to)];
    for (const part of ['keys', 'objects', 'table'] as const) await rename(made[part], placed[part]);
    await syncFolder(to);
    return ok({ backup, to, manifest });
  });
};

export type MendedFrom = MendedFiles & {
  /** The names of the key files that were lost and are there again. */
  readonly keys: readonly string[];
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
  const isOne = (await readManifest(folder)) !== undefined;
  // The newest comes first.
  const backups = isOne ? [folder] : (await backupsIn(folder, store)).reverse().map((name) => join(folder, name));
  if (backups.length === 0) {
    const message = `${folder} is no complete backup and has none of this store; name a folder that "backup" has made, or the folder of all backups.`;
    return refuse('no_backup', { message });
  }
  const uses = KEY_USES.filter((use) => keySecrets[use] === '');
  const keys: string[] = [];
  for (const backup of backups) {
    if ((await readManifest(backup))?.store !== store) continue;
    keys.push(...(await mendKeys(dataFiles(backup).keys, dataFiles(dataDir).keys, uses)));
  }
  const mended: MendedFiles['mended'][number][] = [];
  let left: MendedFiles['left'] = [];
  for (const backup of backups) {
    const done = await service.get('mendFiles')(permit, { copy: objectsIn(backup).objects, from: backup, progress });
    mended.push(...done.mended);
    left = done.left;
    if (left.length === 0) break;
  }
  return ok({ mended, left, keys });
};
