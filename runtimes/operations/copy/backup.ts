import { rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { syncFolder } from '../../../adapters/filesystem/durable-files.ts';
import { snapshot, snapshotSize } from '../../../adapters/sqlite/snapshot.ts';
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import { ensureStoreId } from '../../../adapters/store/operations.ts';
import type { Table } from '../../../adapters/store/table.ts';
import { type Progress, unseen } from '../../../application/operations/progress.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { auditEvent } from '../../../domain/audit/event.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { EVERY_AREA } from '../../composition/areas/everything.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import { type Config, shownPlace } from '../../composition/config.ts';
import { BACKUP_MANIFEST, dataFiles, makeFolder } from '../../composition/data-dir.ts';
import type { Chosen, ObjectsEngine, TableEngine } from '../../composition/engines/kinds.ts';
import { openTable } from '../../composition/open-engines.ts';
import type { Service } from '../../composition/service.ts';
import { type Settings, settingsOf } from '../../composition/settings.ts';
import {
  backupsIn,
  copyFolder,
  examineFolder,
  freeName,
  inNewFolder,
  liesIn,
  type Manifest,
  needSpace,
  removeBackup,
  removeStale,
  staysFresh,
  unfinishedName,
} from './backups.ts';
import { bytesOf, objectsIn } from './objects.ts';

export type BackupWish = {
  readonly folder: string;
  readonly permit: Permit;
  /** The number of complete backups of this store to keep, the new one included; undefined keeps all. */
  readonly keep?: number | undefined;
  readonly progress?: Progress;
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

/** The place as `migrate` takes it. */
const halfOf = ({ name, place }: Chosen<TableEngine | ObjectsEngine>): string => `${name}:${shownPlace(place)}`;

const elsewhere = ({ store, objects }: Config) => {
  if (store.engine.variable === null || objects.engine.variable === null) {
    return refuse('elsewhere', { message: 'A store in memory can’t be backed up; set STORE and OBJECTS.' });
  }
  const place = `${halfOf(store)},${halfOf(objects)}`;
  const tools = [store.name, objects.name].some((name) => name === 'dynamodb' || name === 's3')
    ? 'AWS backs up: DynamoDB goes back to any moment of 35 days, and S3 keeps replaced files as versions (docs/aws.md, "Backup and restore")'
    : 'the tools of its engines back up';
  return refuse('elsewhere', {
    message: `This store is ${place}, which ${tools}. For a copy in a folder run: migrate --from ${place} --to folder:DIR`,
  });
};

/** A store in a data folder. */
type Store = { readonly dataDir: string; readonly settings: Settings; readonly bytes: number };

/** Runs work on a service of a database and of the objects of a folder, and closes the database. */
const onService = async <T>(
  table: Table,
  { folder, settings }: { folder: string; settings: Settings },
  work: (service: Service) => Promise<T>,
): Promise<T> => {
  try {
    return await work(bootstrap(settings, { table, objects: objectsIn(folder).objects }, EVERY_AREA));
  } finally {
    await table.close();
  }
};

/**
 * The keys of the objects that the database of a backup names and that the backup lacks, or has with another size. A
 * store whose objects are gone lists none, so that the database alone tells which there have to be.
 */
const lackedBy = (folder: string, settings: Settings): Promise<string[]> =>
  onService(openSqliteTable(dataFiles(folder).table, { isFinished: true }), { folder, settings }, async (service) => {
    const { faults } = await service.get('checkFiles')({ quick: true, most: Number.POSITIVE_INFINITY });
    return faults.map(({ key }) => key);
  });

/** Writes a backup under a name that no backup has, and gives it its own name once it is whole. */
const write = async (
  { dataDir, settings, bytes }: Store,
  { folder, name, id, progress }: { folder: string; name: string; id: string; progress: Progress },
  at: string,
): Promise<Outcome<Pick<BackedUp, 'backup' | 'manifest'>, NotBackedUp>> => {
  const partial = join(folder, unfinishedName(name, 'partial'));
  using _fresh = staysFresh(partial);
  return await inNewFolder(partial, folder, async () => {
    let entries = 0;
    const copyTable = async (from: string, to: string): Promise<void> => {
      entries = await snapshot(from, to, (done, total) => progress('Database', done, total));
    };
    // Nothing but a mistake would write to a backup.
    const lost = await copyFolder(dataDir, partial, { copyTable, mode: 0o400, bytes, progress });
    const { facts, faults } = await examineFolder(partial, bytes, progress);
    if (faults.length > 0) {
      const message = `The copy in ${folder} differs from the store, and was removed; look at the disk and at the first differences:`;
      return refuse('not_equal', { message, data: { faults } });
    }
    const manifest: Manifest = {
      format: 'account-service-backup-1',
      store: id,
      created_at: at,
      ...facts,
      database: { entries, ...facts.database },
      damaged: [...new Set([...lost, ...(await lackedBy(partial, settings))])].sort(),
    };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(partial, BACKUP_MANIFEST), text, { mode: 0o600, flag: 'wx', flush: true });
    await syncFolder(partial);
    // Another backup may have taken the name meanwhile.
    const backup = join(folder, await freeName(folder, at));
    await rename(partial, backup);
    await syncFolder(folder);
    return ok({ backup, manifest });
  });
};

/**
 * Copies the store of the configuration into a new folder, while a server may use it: the database as it is at one
 * moment, every object, and the keys. The copy is read again before it counts as a backup, and compared with the files
 * that its database names. It leaves out and names what the store has lost or damaged, and then removes no older
 * backup. The audit log tells of the backup before anything is read out. Throws a one-line error if the disk is full or
 * there is no store; then nothing is kept.
 */
export const backUp = async (
  config: Config,
  urls: Settings['urls'],
  { permit, keep = Number.POSITIVE_INFINITY, progress = unseen, ...wish }: BackupWish,
): Promise<Outcome<BackedUp, NotBackedUp>> => {
  if (config.store.name !== 'sqlite' || config.objects.name !== 'filesystem') return elsewhere(config);
  const { dataDir } = config;
  const folder = resolve(wish.folder);
  if (await liesIn(folder, dataDir)) {
    return refuse('folder_in_data_dir', {
      message: `${folder} lies in DATA_DIR, whose loss a backup is for; name a folder elsewhere, best on another disk.`,
    });
  }
  const database = await snapshotSize(dataFiles(dataDir).table);
  const bytes = await bytesOf(objectsIn(dataDir));
  makeFolder(folder);
  await removeStale(folder);
  await needSpace(folder, database + bytes);
  const at = toInstant(Date.now());
  const name = await freeName(folder, at);
  const settings = settingsOf(config, urls);
  const { table } = await openTable(config);
  const id = await onService(table, { folder: dataDir, settings }, async (service) => {
    const event = auditEvent({ kind: 'store', id: join(folder, name) }, 'backup_begun');
    await service.get('auditLog').add(permit, event);
    return ensureStoreId(permit, table);
  });
  const written = await write({ dataDir, settings, bytes }, { folder, name, id, progress }, at);
  if (!written.ok) return written;
  const isWhole = written.value.manifest.damaged.length === 0;
  const made = basename(written.value.backup);
  const others = (await backupsIn(folder, id)).filter((other) => other !== made);
  // The new backup, which is none of these, counts as one.
  const removed = isWhole ? others.slice(0, Math.max(0, others.length + 1 - keep)) : [];
  for (const other of removed) await removeBackup(folder, other);
  const inFolder = (other: string): string => join(folder, other);
  const later = others.filter((other) => other > made && !removed.includes(other));
  return ok({ ...written.value, removed: removed.map(inFolder), later: later.map(inFolder) });
};
