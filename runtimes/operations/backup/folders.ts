import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { liesWithin } from '../../../adapters/filesystem/lies-within.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import { readManifest } from './manifest.ts';

const HOUR_MS = 60 * 60 * 1000;

/** The name of a backup is the moment of its state (UTC), so that names are in the order of time. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** A folder that is being written, or removed. No backup has such a name. */
const UNFINISHED = /^\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.[0-9a-f]{8}\.(?:partial|removed)$/;

const backupName = (at: Instant): string => `${at.slice(0, 19).replaceAll(':', '-')}Z`;

/**
 * The name of a backup of this moment, or of the first second after it whose name no folder has: two shops may back up
 * to one folder in the same second.
 */
export const freeName = async (folder: string, at: Instant): Promise<string> => {
  const taken = await readdir(folder);
  let moment = at;
  while (taken.includes(backupName(moment))) moment = toInstant(millis(moment) + 1000);
  return backupName(moment);
};

/** The name of a folder that is not finished. */
export const unfinishedName = (name: string, as: 'partial' | 'removed'): string =>
  `.${name}.${randomBytes(4).toString('hex')}.${as}`;

/** The path with the links of its existing part resolved. */
const realPath = async (path: string): Promise<string> => {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(whole) === whole) throw error;
    return join(await realPath(dirname(whole)), basename(whole));
  }
};

/** True where the folder is `within` or lies in it, whatever links lead there. */
export const liesIn = async (folder: string, within: string): Promise<boolean> =>
  liesWithin(await realPath(folder), await realPath(within));

/** The moment of a folder in milliseconds; undefined where another run has finished or removed it meanwhile. */
const changedAt = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Removes what killed runs have left, a day after they last said that they run. */
export const removeStale = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!UNFINISHED.test(name)) continue;
    const path = join(folder, name);
    const at = await changedAt(path);
    if (at !== undefined && at < Date.now() - DAY_MS) await rm(path, { recursive: true, force: true });
  }
};

/**
 * Tells other runs every hour that this one still writes to the folder, whose own time does not change with the files
 * in its folders. The folder may be missing at first.
 */
export const staysFresh = (folder: string): Disposable => {
  // A fault of the disk ends the copying itself.
  const touch = (): Promise<void> => utimes(folder, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, HOUR_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};

/** The names of the complete backups of a store in a folder, oldest first. */
export const backupsIn = async (folder: string, store: string): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const found = await Promise.all(names.map((name) => readManifest(join(folder, name))));
  return names.filter((_, n) => found[n]?.store === store);
};

/** Removes the backup. It loses its name first, so that no half of it is ever taken for a backup. */
export const removeBackup = async (folder: string, name: string): Promise<void> => {
  const removed = join(folder, unfinishedName(name, 'removed'));
  await rename(join(folder, name), removed);
  await rm(removed, { recursive: true, force: true });
};

export const makePrivate = (folder: string): Promise<string | undefined> =>
  mkdir(folder, { recursive: true, mode: 0o700 });
