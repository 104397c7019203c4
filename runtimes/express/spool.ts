import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { SpoolFolder } from '../../adapters/http/spool.ts';
import type { Config } from '../composition/config.ts';
import { dataFiles } from '../composition/data-dir.ts';
import { makeFolder } from '../composition/make-folder.ts';

/**
 * The folder that a server spools files to: below `DATA_DIR`, on the disk that was chosen for files, where the system's
 * own for temporary files may be memory. Made for its owner alone. Where nothing is kept on disk, it is the system's.
 * Throws as the file system does.
 */
export const openSpool = ({ dataDir, store, objects }: Pick<Config, 'dataDir' | 'store' | 'objects'>): SpoolFolder => {
  if (store === 'memory' && objects === 'memory') return new SpoolFolder(tmpdir());
  const folder = resolve(dataFiles(dataDir).spool);
  makeFolder(folder);
  // One that was there before may let others in.
  chmodSync(folder, 0o700);
  return new SpoolFolder(folder);
};
