import { text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** The text and the Unix permissions of each file in a zip archive. Rejects if the archive is damaged. */
export const unzip = async (path: string): Promise<Map<string, { text: string; mode: number }>> => {
  const archive = await openPromise(path, { lazyEntries: true });
  const files = new Map<string, { text: string; mode: number }>();
  for await (const entry of archive.eachEntry()) {
    files.set(entry.fileName, {
      text: await text(await archive.openReadStreamPromise(entry)),
      mode: (entry.externalFileAttributes >>> 16) & 0o777,
    });
  }
  return files;
};
