import { integrityFaults } from '../../../adapters/sqlite/snapshot.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { type BytesDone, examineObjects } from './copy-objects.ts';
import { keySums, readKeys } from './keys.ts';
import type { Manifest } from './manifest.ts';
import { objectsIn, partsOf, sha256OfFile } from './parts.ts';

/** The most faults that are told. */
const TOLD = 10;

/**
 * The faults of a folder with the parts of a backup, beside its manifest: the database byte by byte and by SQLite's own
 * check, every object by its SHA-256, and the keys. None if the folder holds exactly what was backed up.
 */
export const backupFaults = async (folder: string, manifest: Manifest, done: BytesDone): Promise<Fault[]> => {
  const { table, keys } = partsOf(folder);
  const faults: Fault[] = (await integrityFaults(table)).map((message) => ({ path: table, message }));
  if ((await sha256OfFile(table)) !== manifest.database.sha256) {
    faults.push({ path: table, message: 'has changed since the backup was made' });
  }
  const { sums, faulty } = await examineObjects(objectsIn(folder), done);
  faults.push(...faulty.map((key) => ({ path: key, message: 'has other bytes than those that were backed up' })));
  if (sums.sha256 !== manifest.objects.sha256) {
    const message = `has ${sums.objects} files, and the backup was made with ${manifest.objects.objects} and other sums`;
    faults.push({ path: partsOf(folder).objects, message });
  }
  const found = keySums(await readKeys(keys));
  const differing = manifest.keys.filter(
    ({ name, sha256 }) => found.find((one) => one.name === name)?.sha256 !== sha256,
  );
  faults.push(...differing.map(({ name }) => ({ path: name, message: 'is no longer the key that was backed up' })));
  return faults.slice(0, TOLD);
};
