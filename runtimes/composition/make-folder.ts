import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/**
 * Makes the folder, and those above it, for their owner alone; one that is there stays as it is. Throws as the file
 * system does. (Node's own `recursive` never returns where a folder can be seen but nothing can be made in it, as in
 * /proc: mkdir answers ENOENT there.)
 */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the same moment.
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
};
