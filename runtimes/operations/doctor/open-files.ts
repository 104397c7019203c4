import { lstat, opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { countOf } from '../../../domain/shared/count-of.ts';
import { oneLine } from '../../composition/faults.ts';
import { type Finding, fine, firstOf, wrong } from './finding.ts';

const CHECK = 'modes';

/** The most names that are kept for the message. */
const NAMED = 5;

type Open = { files: number; readonly names: string[]; seen: number };

/** True for a file that others may read or write, and for a folder that others may write. */
const isOpen = (mode: number, isFolder: boolean): boolean => (mode & (isFolder ? 0o022 : 0o077)) !== 0;

const look = async (folder: string, root: string, open: Open): Promise<void> => {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    // A running server removes files of its own meanwhile.
    const found = entry.isSymbolicLink() ? undefined : await lstat(path).catch(() => undefined);
    if (!found) continue;
    open.seen++;
    if (isOpen(found.mode, found.isDirectory())) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
      if (++open.files <= NAMED) open.names.push(`${relative(root, path)} (mode ${mode})`);
    }
    if (found.isDirectory()) await look(path, root, open);
  }
};

/**
 * Checks that only its owner can read the files of DATA_DIR: the database and the files beside it, objects, keys,
 * uploads in progress, and whatever else lies there.
 */
export const checkModes = async (folder: string): Promise<Finding> => {
  if (process.platform === 'win32') return fine(CHECK, 'Windows has no file modes; the folder’s permissions count.');
  const open: Open = { files: 0, names: [], seen: 0 };
  try {
    await look(folder, folder, open);
  } catch (error) {
    return wrong(CHECK, `The files in ${folder} can't be listed: ${oneLine(error)}`);
  }
  return open.files === 0
    ? fine(
        CHECK,
        `Only their owner can read the ${countOf(open.seen, 'file and folder', 'files and folders')} of ${folder}.`,
      )
    : wrong(CHECK, `Others may use ${firstOf(open.names, open.files)}; run: chmod -R go= ${folder}`);
};
