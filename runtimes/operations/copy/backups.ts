import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { liesWithin } from '../../../adapters/filesystem/lies-within.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import { BACKUP_MANIFEST } from '../../composition/data-dir.ts';

const sum = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const Manifest = z.object({
  format: z.literal('account-service-backup-1'),
  /** The id of the store. */
  store: z.uuid(),
  /** The moment of the database's state. */
  created_at: z.iso.datetime(),
  database: z.object({ entries: count, bytes: count, sha256: sum }),
  /** The sum over the keys, the sizes and the SHA-256 of all objects. */
  objects: z.object({ objects: count, bytes: count, sha256: sum }),
  keys: z.array(z.object({ name: z.string(), sha256: sum })),
  /** The objects that the store had lost or damaged, which the backup therefore lacks. */
  damaged: z.array(z.string()),
});

/** The file that makes a folder a backup. It is written last, before the folder gets its name. */
export type Manifest = z.infer<typeof Manifest>;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** The manifest of a backup; undefined for a folder that is none, and for one that was not completed. */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  try {
    return Manifest.safeParse(JSON.parse(await readFile(join(folder, BACKUP_MANIFEST), 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
};

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
    if (codeOf(error) !== 'ENOENT' || dirname(whole) === whole) throw error;
    return join(await realPath(dirname(whole)), basename(whole));
  }
};

/** True where the folder is `within` or lies in it, whatever links lead there. */
export const liesIn = async (folder: string, within: string): Promise<boolean> =>
  liesWithin(await realPath(folder), await realPath(within));

/** Removes what killed runs have left, a day after they last said that they run. */
export const removeStale = async (folder: string): Promise<void> => {
  for (const name of (await readdir(folder)).filter((one) => UNFINISHED.test(one))) {
    // Another run may have finished or removed the folder meanwhile.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - DAY_MS) await rm(join(folder, name), { recursive: true, force: true });
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
