import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DownloadSignature } from '../../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../../adapters/filesystem/filesystem-objects.ts';
import { dataFiles } from '../../composition/data-dir.ts';

/** Called with the progress of a stage, in bytes. */
export type BackupProgress = (stage: 'Database' | 'Files' | 'Verifying', done: number, total: number) => void;

/** The paths of a store's parts. A backup has them under the same names. */
export const partsOf = (folder: string) => {
  const { table, objects, licenseKey } = dataFiles(folder);
  return { table, objects, keys: dirname(licenseKey) };
};

/** The objects of a folder. Nobody downloads them here, so that any secret will do. */
export const objectsIn = (folder: string): FilesystemObjects =>
  new FilesystemObjects(partsOf(folder).objects, new DownloadSignature({ secret: randomBytes(32), baseUrl: '' }));

export const sha256OfFile = async (file: string): Promise<string> => {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) sum.update(chunk as Buffer);
  return sum.digest('hex');
};

export const sizeOfFile = async (file: string): Promise<number> => (await stat(file)).size;

/** A function that adds bytes to those of a stage, and reports them. */
export const counted = (progress: BackupProgress, stage: 'Files' | 'Verifying', total: number) => {
  let done = 0;
  return (more: number): void => progress(stage, (done += more), Math.max(total, done));
};

/** The number of bytes for people, such as `1.5 GB`. */
export const bytesInWords = (bytes: number): string =>
  new Intl.NumberFormat('en', {
    notation: 'compact',
    style: 'unit',
    unit: 'byte',
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
  }).format(bytes);

/** Throws a one-line error if the disk of a folder has not that many bytes left for this user. */
export const needSpace = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new Error(
    `${folder} has ${bytesInWords(free)} left and this needs ${bytesInWords(bytes)}; free some space, or name a folder on another disk. Nothing was written.`,
  );
};

/** The error of a full disk as one line that names the folder; any other error as it is. */
export const asFullDisk = (folder: string, error: unknown): unknown => {
  const { code, cause, errcode } = error as { code?: unknown; errcode?: unknown; cause?: { code?: unknown } };
  const isFull = code === 'ENOSPC' || cause?.code === 'ENOSPC' || errcode === 13;
  return isFull
    ? new Error(`The disk of ${folder} is full; free some space, or name a folder on another disk. Nothing was kept.`)
    : error;
};
