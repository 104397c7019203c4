import { chmod, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { syncFolder } from '../../../adapters/filesystem/durable-files.ts';
import { integrityFaults, snapshot, snapshotSize } from '../../../adapters/sqlite/snapshot.ts';
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import { ensureStoreId } from '../../../adapters/store/operations.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { EVERY_AREA } from '../../composition/areas/everything.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import { type Config, shownPlace } from '../../composition/config.ts';
import type { Settings } from '../../composition/engine-settings.ts';
import type { Chosen, ObjectsEngine, TableEngine } from '../../composition/engines/kinds.ts';
import { openTable } from '../../composition/open-engines.ts';
import { settingsOf } from '../../composition/settings.ts';
import { bytesOf, copyObjects, examineObjects } from './copy-objects.ts';
import {
  backupsIn,
  freeName,
  liesIn,
  makePrivate,
  removeBackup,
  removeStale,
  staysFresh,
  unfinishedName,
} from './folders.ts';
import { keySums, readKeys, writeKeys } from './keys.ts';
import { MANIFEST_FORMAT, type Manifest, writeManifest } from './manifest.ts';
import {
  asFullDisk,
  type BackupProgress,
  counted,
  needSpace,
  objectsIn,
  partsOf,
  sha256OfFile,
  sizeOfFile,
} from './parts.ts';

/**
 * The keys of the objects that the database of a folder names and that the folder lacks, or has with another size. A
 * store whose objects are gone lists none, so that the database alone tells which there have to be.
 */
const lackedBy = async (folder: string, settings: Settings): Promise<string[]> => {
  const table = openSqliteTable(partsOf(folder).table, { isFinished: true });
  try {
    const service = bootstrap(settings, { table, objects: objectsIn(folder) }, EVERY_AREA);
    const { faults } = await service.get('checkFiles')({ quick: true, most: Number.POSITIVE_INFINITY });
    return faults.map(({ key }) => key);
  } finally {
    await table.close();
  }
};

export type BackupWish = {
  readonly folder: string;
  readonly permit: Permit;
  /** The number of complete backups of this store to keep, the new one included; undefined keeps all. */
  readonly keep?: number | undefined;
  readonly progress?: BackupProgress;
  /** Called with the new backup before anything is read out, once nothing refuses the backup any more. */
  readonly begins: (backup: string) => Promise<void>;
  /** Milliseconds since 1970; the machine's clock by default. */
  readonly now?: () => number;
};

export type BackedUp = {
  /** The new backup. */
  readonly backup: string;
  readonly manifest: Manifest;
  /** The older backups that were removed. */
  readonly removed: readonly string[];
  /** Other backups of this store whose names lie after the new one's, because the clock was or is wrong. */
  readonly later: readonly string[];
};

export type NotBackedUp = 'elsewhere' | 'folder_in_data_dir' | 'not_equal';

/** Bytes beside the data: the folders themselves, records of objects, and what the store gets meanwhile. */
const MARGIN = 16 * 1024 * 1024;

/** The place as `migrate` takes it. */
const halfOf = ({ name, place }: Chosen<TableEngine | ObjectsEngine>): string => `${name}:${shownPlace(place)}`;

/** The tools that back up these engines. */
const toolsOf = (...names: readonly string[]): string =>
  names.includes('dynamodb') || names.includes('s3')
    ? 'AWS backs up: DynamoDB goes back to any moment of 35 days, and S3 keeps replaced files as versions (docs/aws.md, "Backup and restore")'
    : 'the tools of its engines back up';

const elsewhere = ({ store, objects }: Config) => {
  if (store.engine.variable === null || objects.engine.variable === null) {
    return refuse('elsewhere', { message: 'A store in memory can’t be backed up; set STORE and OBJECTS.' });
  }
  const place = `${halfOf(store)},${halfOf(objects)}`;
  return refuse('elsewhere', {
    message: `This store is ${place}, which ${toolsOf(store.name, objects.name)}. For a copy in a folder run: migrate --from ${place} --to folder:DIR`,
  });
};

/** The store that is backed up. */
type Store = { readonly dataDir: string; readonly settings: Settings; readonly id: string };

type Written = { readonly manifest: Manifest; readonly faults: readonly Fault[] };

const storeIdOf = async (config: Config, permit: Permit): Promise<string> => {
  const { table } = await openTable(config);
  try {
    return await ensureStoreId(permit, table);
  } finally {
    await table.close();
  }
};

/** Writes the parts of a backup into a new folder, and reads them all again. */
const writeParts = async (
  { dataDir, settings, id }: Store,
  folder: string,
  at: string,
  progress: BackupProgress,
): Promise<Written> => {
  const [from, to] = [partsOf(dataDir), partsOf(folder)];
  for (const part of [folder, to.keys]) await makePrivate(part);
  const entries = await snapshot(from.table, to.table, (done, total) => progress('Database', done, total));
  // Nothing but a mistake would write to a backup.
  await chmod(to.table, 0o400);
  // A record is written after the objects that it names, so that the store has those of the snapshot by now.
  const [source, target] = [objectsIn(dataDir), objectsIn(folder)];
  const bytes = await bytesOf(source);
  const left = await copyObjects(source, target, counted(progress, 'Files', bytes));
  const keys = await readKeys(from.keys);
  await writeKeys(to.keys, keys);
  const { sums, faulty } = await examineObjects(target, counted(progress, 'Verifying', bytes));
  const damaged = [...new Set([...left, ...(await lackedBy(folder, settings))])].sort();
  const database = { entries, bytes: await sizeOfFile(to.table), sha256: await sha256OfFile(to.table) };
  return {
    manifest: {
      format: MANIFEST_FORMAT,
      store: id,
      created_at: at,
      database,
      objects: sums,
      keys: keySums(keys),
      damaged,
    },
    faults: [
      ...(await integrityFaults(to.table)).map((message) => ({ path: 'store.db', message })),
      ...faulty.map((key) => ({ path: key, message: 'was not written as it was read' })),
    ],
  };
};

/** Writes a backup under a name that no backup has, and gives it its own name once it is whole. */
const write = async (
  store: Store,
  folder: string,
  { now = Date.now, progress = () => {}, begins }: BackupWish,
): Promise<Outcome<Pick<BackedUp, 'backup' | 'manifest'>, NotBackedUp>> => {
  const at = toInstant(now());
  const name = await freeName(folder, at);
  const partial = join(folder, unfinishedName(name, 'partial'));
  await begins(join(folder, name));
  using _fresh = staysFresh(partial);
  try {
    const { manifest, faults } = await writeParts(store, partial, at, progress);
    if (faults.length > 0) {
      return refuse('not_equal', {
        message: `The copy in ${folder} differs from the store, and was removed; look at the disk and at the first differences:`,
        data: { faults },
      });
    }
    await writeManifest(partial, manifest);
    await syncFolder(partial);
    // Another backup may have taken the name meanwhile.
    const backup = join(folder, await freeName(folder, at));
    await rename(partial, backup);
    await syncFolder(folder);
    return ok({ backup, manifest });
  } catch (error) {
    throw asFullDisk(folder, error);
  } finally {
    await rm(partial, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** The oldest names beyond `keep`, where the new backup, which is none of these, counts as one. */
const beyond = (others: readonly string[], keep = Number.POSITIVE_INFINITY): readonly string[] =>
  others.slice(0, Math.max(0, others.length + 1 - keep));

/**
 * Copies the store of the configuration into a new folder, while a server may use it: the database as it is at one
 * moment, every object, and the keys. The copy is read again before it counts as a backup, and compared with the files
 * that its database names. It leaves out and names what the store has lost or damaged, and then removes no older
 * backup. Throws a one-line error if the disk is full or there is no store; then nothing is kept.
 */
export const backUp = async (
  config: Config,
  urls: Settings['urls'],
  wish: BackupWish,
): Promise<Outcome<BackedUp, NotBackedUp>> => {
  if (config.store.name !== 'sqlite' || config.objects.name !== 'filesystem') return elsewhere(config);
  const folder = resolve(wish.folder);
  if (await liesIn(folder, config.dataDir)) {
    return refuse('folder_in_data_dir', {
      message: `${folder} lies in DATA_DIR, whose loss a backup is for; name a folder elsewhere, best on another disk.`,
    });
  }
  const size = (await snapshotSize(partsOf(config.dataDir).table)) + (await bytesOf(objectsIn(config.dataDir)));
  await makePrivate(folder);
  await removeStale(folder);
  await needSpace(folder, size + MARGIN);
  const store = {
    dataDir: config.dataDir,
    settings: settingsOf(config, urls),
    id: await storeIdOf(config, wish.permit),
  };
  const written = await write(store, folder, wish);
  if (!written.ok) return written;
  const isWhole = written.value.manifest.damaged.length === 0;
  const made = basename(written.value.backup);
  const others = (await backupsIn(folder, store.id)).filter((name) => name !== made);
  const removed = isWhole ? beyond(others, wish.keep) : [];
  for (const name of removed) await removeBackup(folder, name);
  const inFolder = (name: string): string => join(folder, name);
  const later = others.filter((name) => name > made && !removed.includes(name));
  return ok({ ...written.value, removed: removed.map(inFolder), later: later.map(inFolder) });
};
