import { readdir } from 'node:fs/promises';

/** The names of the key files in a folder, in order, without unfinished ones; none where there is no folder. */
export const keyFilesIn = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && !entry.name.endsWith('.tmp') ? [entry.name] : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};
