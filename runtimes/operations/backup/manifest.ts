import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
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

export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST_FORMAT = 'account-service-backup-1';

/** Makes a folder a backup. This is the last step, before the folder gets its name. */
export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(join(folder, BACKUP_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });

/** The manifest of a backup; undefined for a folder that is none, and for one that was not completed. */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  try {
    return Manifest.safeParse(JSON.parse(await readFile(join(folder, BACKUP_MANIFEST), 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      return undefined;
    }
    throw error;
  }
};
