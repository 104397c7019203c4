import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, toInstant } from '../../domain/shared/instant.ts';
import { isOutdatedReportFile } from '../../domain/support/ticket.ts';

/** The folders of a store; see filesystem-objects.ts. */
type Folders = { readonly keys: string; readonly bytes: string; readonly drafts: string };

const SUM = /[0-9a-f]{64}/;

const isKept = async (keys: string, sha256: string): Promise<boolean> => {
  for (const name of await readdir(keys)) {
    if (name.includes(sha256)) return true;
    // Most keys have the SHA-256 in their name; the files of the others contain it.
    if (!SUM.test(name) && (await readFile(join(keys, name), 'latin1')).startsWith(sha256)) return true;
  }
  return false;
};

/**
 * Removes bytes that no key names any more. The file is first moved aside, and moved back if it is new or if a key
 * names it by now: a concurrent put of the same bytes writes its key after the bytes.
 */
const removeBytes = async ({ keys, bytes, drafts }: Folders, sha256: string, newFor: number): Promise<void> => {
  if (await isKept(keys, sha256)) return;
  const [file, aside] = [join(bytes, sha256), join(drafts, randomUUID())];
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const isNew = (await stat(aside)).mtimeMs > Date.now() - newFor;
  if (isNew || (await isKept(keys, sha256))) await rename(aside, file);
  else await rm(aside, { force: true });
};

/**
 * Removes bytes that no key names, however new they are. A put of the same bytes that is between its two last steps
 * loses them; the same put again stores them.
 */
export const removeBytesOfNobody = (folders: Folders, sha256: string): Promise<void> => removeBytes(folders, sha256, 0);

/** Removes the files of support reports whose retention has ended. In a bucket, its lifecycle does so. */
export const removeOutdatedFiles = async (folders: Folders): Promise<void> => {
  const now = toInstant(Date.now());
  const names = await readdir(folders.keys);
  const outdated = names.filter((name) => isOutdatedReportFile(name.replaceAll('+', '/'), now));
  for (const name of outdated) await rm(join(folders.keys, name), { force: true });
  const sums = new Set(outdated.flatMap((name) => SUM.exec(name)?.[0] ?? []));
  for (const sum of sums) await removeBytes(folders, sum, DAY_MS);
};
