import { hash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, realpath, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { liesWithin } from '../../../adapters/filesystem/lies-within.ts';
import { receive } from '../../../adapters/filesystem/receive.ts';
import { integrityFaults } from '../../../adapters/sqlite/snapshot.ts';
import { counted, type Progress } from '../../../application/operations/progress.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import { BACKUP_MANIFEST, dataFiles } from '../../composition/data-dir.ts';
import { readKeys, writeKeys } from './keys.ts';
import { copyObjects, examineObjects, objectsIn } from './objects.ts';

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

/** The value; `absent` where no such file or folder is there. */
const orElse = async <T>(value: Promise<T>, absent: T): Promise<T> => {
  try {
    return await value;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return absent;
    throw error;
  }
};

/** The names in a folder; none where there is no folder. */
export const namesIn = (folder: string): Promise<string[]> => orElse(readdir(folder), []);

/** The manifest of a backup; undefined for a folder that is none, and for one that was not completed. */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  try {
    return Manifest.safeParse(JSON.parse(await orElse(readFile(join(folder, BACKUP_MANIFEST), 'utf8'), ''))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
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
  const real = await orElse(realpath(whole), '');
  return real || join(await realPath(dirname(whole)), basename(whole));
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
  const names = (await namesIn(folder)).filter((name) => NAME.test(name)).sort();
  const found = await Promise.all(names.map((name) => readManifest(join(folder, name))));
  return names.filter((_, n) => found[n]?.store === store);
};

/** Removes the backup. It loses its name first, so that no half of it is ever taken for a backup. */
export const removeBackup = async (folder: string, name: string): Promise<void> => {
  const removed = join(folder, unfinishedName(name, 'removed'));
  await rename(join(folder, name), removed);
  await rm(removed, { recursive: true, force: true });
};

/** Bytes beside the data: the folders themselves, records of objects, and what the store gets meanwhile. */
const MARGIN = 16 * 1024 * 1024;

/** The number of bytes for people, such as `1.5 GB`. */
const WORDS = new Intl.NumberFormat('en', {
  notation: 'compact',
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  maximumFractionDigits: 1,
});

/** Throws a one-line error if the disk of a folder has no room for that many bytes of data. */
export const needSpace = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + MARGIN) return;
  throw new Error(
    `${folder} has ${WORDS.format(bavail * bsize)} left and this needs ${WORDS.format(bytes + MARGIN)}; free some space, or name a folder on another disk. Nothing was written.`,
  );
};

/**
 * Runs work that fills a new folder and then gives it another name. Whatever has the name of the new folder in the end
 * is removed. Throws a one-line error that names `folder` if its disk is full.
 */
export const inNewFolder = async <T>(unfinished: string, folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    await mkdir(unfinished, { mode: 0o700 });
    return await work();
  } catch (error) {
    const { code, cause, errcode } = error as { code?: unknown; errcode?: unknown; cause?: { code?: unknown } };
    if (code !== 'ENOSPC' && cause?.code !== 'ENOSPC' && errcode !== 13) throw error;
    throw new Error(
      `The disk of ${folder} is full; free some space, or name a folder on another disk. Nothing was kept.`,
    );
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
  }
};

/**
 * Copies a store between two folders, of which one is a backup: the database by `copyTable`, with this mode, then the
 * objects and the keys. Returns the keys of the objects that the source has lost or damaged.
 */
export const copyFolder = async (
  source: string,
  target: string,
  how: { copyTable: (from: string, to: string) => Promise<void>; mode: number; bytes: number; progress: Progress },
): Promise<string[]> => {
  const [from, to] = [dataFiles(source), dataFiles(target)];
  await how.copyTable(from.table, to.table);
  await chmod(to.table, how.mode);
  // A record is written after the objects that it names, so that the source has those of the database by now.
  const lost: string[] = [];
  await copyObjects(objectsIn(source), objectsIn(target), counted(how.progress, 'Files', how.bytes), lost);
  await mkdir(to.keys, { mode: 0o700 });
  writeKeys(to.keys, await readKeys(from.keys));
  return lost;
};

export type FolderFacts = Pick<Manifest, 'objects' | 'keys'> & { readonly database: { bytes: number; sha256: string } };

/**
 * Reads every byte of a store or a backup in a folder. `faults` are the parts that are broken in themselves: the
 * database by SQLite's own check, the objects by their SHA-256.
 */
export const examineFolder = async (
  folder: string,
  bytes: number,
  progress: Progress,
): Promise<{ facts: FolderFacts; faults: readonly Fault[] }> => {
  const { table, keys } = dataFiles(folder);
  const broken = (await integrityFaults(table)).map((message) => ({ path: table, message }));
  const { size, sha256 } = await receive(createReadStream(table, { highWaterMark: 256 * 1024 }), {}, () => {});
  const { sums, faulty } = await examineObjects(objectsIn(folder), counted(progress, 'Verifying', bytes));
  const altered = faulty.map((key) => ({ path: key, message: 'has other bytes than those of its record' }));
  const objects = { objects: sums.entries.count, bytes: sums.bytes, sha256: sums.entries.sha256 };
  const files = [...(await readKeys(keys))].map(([name, text]) => ({ name, sha256: hash('sha256', text) }));
  return { facts: { database: { bytes: size, sha256 }, objects, keys: files }, faults: [...broken, ...altered] };
};
