import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { syncFolder } from '../../../adapters/filesystem/durable-files.ts';
import { integrityFaults } from '../../../adapters/sqlite/snapshot.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { makeFolder } from '../../composition/make-folder.ts';
import { type BytesDone, copyObjects, examineObjects } from './copy-objects.ts';
import { liesIn, makePrivate } from './folders.ts';
import { keySums, readKeys, writeKeys } from './keys.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { asFullDisk, type BackupProgress, counted, needSpace, objectsIn, partsOf, sha256OfFile } from './parts.ts';

/** The most faults that are told. */
const TOLD = 10;

/**
 * The faults of a folder with the parts of a backup, beside its manifest: the database byte by byte and by SQLite's own
 * check, every object by its SHA-256, and the keys. None if the folder holds exactly what was backed up.
 */
const backupFaults = async (folder: string, manifest: Manifest, done: BytesDone): Promise<Fault[]> => {
  const { table, keys } = partsOf(folder);
  const faults: Fault[] = (await integrityFaults(table)).map((message) => ({ path: table, message }));
  if ((await sha256OfFile(table)) !== manifest.database.sha256) {
    faults.push({ path: table, message: 'has changed since the backup was made' });
  }
  const { sums, faulty } = await examineObjects(objectsIn(folder), done);
  faults.push(...faulty.map((key) => ({ path: key, message: 'has other bytes than those that were backed up' })));
  if (sums.sha256 !== manifest.objects.sha256) {
    const message = `has ${sums.objects} files, and the backup was made with ${manifest.objects.objects} and other sums`;
    faults.push({ path: partsOf(folder).objects, message });
  }
  const found = keySums(await readKeys(keys));
  const differing = manifest.keys.filter(
    ({ name, sha256 }) => found.find((one) => one.name === name)?.sha256 !== sha256,
  );
  faults.push(...differing.map(({ name }) => ({ path: name, message: 'is no longer the key that was backed up' })));
  return faults.slice(0, TOLD);
};

export type Restored = { readonly backup: string; readonly to: string; readonly manifest: Manifest };

export type NotRestored = 'no_backup' | 'target_not_empty' | 'damaged_backup' | 'not_equal';

/** The folder in the target in which the store is put together. */
const UNFINISHED = '.restoring';

/** Names that a fresh disk has by itself, and what an interrupted restore has left. */
const COUNT_AS_NOTHING = new Set(['lost+found', UNFINISHED]);

const MARGIN = 16 * 1024 * 1024;

const bytesIn = ({ database, objects }: Manifest): number => database.bytes + objects.bytes;

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).filter((name) => !COUNT_AS_NOTHING.has(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

const damaged = (backup: string, faults: readonly Fault[]) =>
  refuse('damaged_backup', {
    message: `${backup} is no longer as it was made, so nothing was restored; take another backup. The first differences:`,
    data: { faults },
  });

/** Copies the parts of a backup into an empty folder. */
const copyParts = async (backup: string, folder: string, progress: BackupProgress, total: number): Promise<void> => {
  const [from, to] = [partsOf(backup), partsOf(folder)];
  await makePrivate(to.keys);
  await writeKeys(to.keys, await readKeys(from.keys));
  const lost = await copyObjects(objectsIn(backup), objectsIn(folder), counted(progress, 'Files', total));
  if (lost.length > 0) throw new Error(`The file ${lost[0]} of ${backup} was damaged meanwhile; take another backup.`);
  await copyFile(from.table, to.table);
  await chmod(to.table, 0o600);
};

/** Moves the finished store to its place, the database last: without it, the folder is no store. */
const moveInto = async (unfinished: string, folder: string): Promise<void> => {
  const [made, placed] = [partsOf(unfinished), partsOf(folder)];
  await rename(made.keys, placed.keys);
  await rename(made.objects, placed.objects);
  await rename(made.table, placed.table);
  await rm(unfinished, { recursive: true, force: true });
  await syncFolder(folder);
};

/**
 * Makes a store from a backup, in a folder that is missing or empty. The backup is compared with its manifest before,
 * and the store after. A restore that was interrupted begins anew. Throws a one-line error if the disk is full.
 */
export const restore = async (
  from: string,
  target: string,
  progress: BackupProgress = () => {},
): Promise<Outcome<Restored, NotRestored>> => {
  const [backup, to] = [resolve(from), resolve(target)];
  const manifest = await readManifest(backup);
  if (!manifest) {
    return refuse('no_backup', { message: `${backup} is no complete backup; name a folder that "backup" has made.` });
  }
  const there = await namesIn(to);
  if (there.length > 0 || (await liesIn(to, backup))) {
    const why = there.includes('store.db') ? 'holds a store' : 'is not empty';
    return refuse('target_not_empty', { message: `${to} ${why}; name a folder that is empty. Nothing was restored.` });
  }
  const total = bytesIn(manifest);
  const faults = await backupFaults(backup, manifest, counted(progress, 'Verifying', 2 * total));
  if (faults.length > 0) return damaged(backup, faults);
  makeFolder(to);
  await needSpace(to, total + MARGIN);
  const unfinished = join(to, UNFINISHED);
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await copyParts(backup, unfinished, progress, total);
    const unlike = await backupFaults(unfinished, manifest, counted(progress, 'Verifying', 2 * total));
    if (unlike.length > 0) {
      const message = `The store in ${to} differs from its backup, and was removed; look at the disk. The first differences:`;
      return refuse('not_equal', { message, data: { faults: unlike } });
    }
    await moveInto(unfinished, to);
    return ok({ backup, to, manifest });
  } catch (error) {
    throw asFullDisk(to, error);
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
  }
};
