import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, rm, stat, statfs } from 'node:fs/promises';
import { integrityFaults } from '../../../adapters/sqlite/snapshot.ts';
import { counted, type Progress } from '../../../application/operations/progress.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import type { Manifest } from './backups.ts';
import { sumsOf } from './compare.ts';
import { readKeys, writeKeys } from './keys.ts';
import { copyObjects, faultyObjects, recordsOf } from './objects.ts';
import { objectsIn } from './place.ts';

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

const sha256OfFile = async (file: string): Promise<string> => {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) sum.update(chunk as Buffer);
  return sum.digest('hex');
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
  const database = { bytes: (await stat(table)).size, sha256: await sha256OfFile(table) };
  const faulty = await faultyObjects(objectsIn(folder), counted(progress, 'Verifying', bytes));
  const altered = faulty.map((key) => ({ path: key, message: 'has other bytes than those of its record' }));
  const sums = await sumsOf(recordsOf(objectsIn(folder)));
  const objects = { objects: sums.entries.count, bytes: sums.bytes, sha256: sums.entries.sha256 };
  const files = [...(await readKeys(keys))].map(([name, text]) => ({ name, sha256: hash('sha256', text) }));
  return { facts: { database, objects, keys: files }, faults: [...broken, ...altered] };
};
