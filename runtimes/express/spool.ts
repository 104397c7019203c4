import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { type Config, endsWithTheProcess } from '../composition/config.ts';
import { dataFiles } from '../composition/data-dir.ts';
import { makeFolder } from '../composition/make-folder.ts';

/**
 * The folder that a server spools files to. It is below `DATA_DIR`, because that is a disk chosen for files, while the
 * system's temporary folder may be memory. It is created for its owner alone. If table and objects are in memory, the
 * system's temporary folder is used. Throws the file system's error.
 */
export const openSpool = (config: Pick<Config, 'dataDir' | 'store' | 'objects'>): SpoolFolder => {
  if (endsWithTheProcess(config)) return new SpoolFolder(tmpdir());
  const folder = resolve(dataFiles(config.dataDir).spool);
  makeFolder(folder);
  // An existing folder may be open to others.
  chmodSync(folder, 0o700);
  return new SpoolFolder(folder);
};
