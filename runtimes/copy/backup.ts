import { hash, randomBytes } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { syncFolder } from '../../adapters/filesystem/durable-files.ts';
import { liesWithin } from '../../adapters/filesystem/lies-within.ts';
import { receive } from '../../adapters/filesystem/receive.ts';
import { integrityFaults, snapshot, snapshotSize } from '../../adapters/sqlite/snapshot.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { formatOf } from '../../adapters/store/formats.ts';
import { lastRunKey, storeIdKey } from '../../adapters/store/keys/store.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { ensureStoreId } from '../../adapters/store/store-records.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { counted, type Progress, unseen } from '../../application/shared/progress.ts';
import type { MendedFiles } from '../../application/store-document/stored-files.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { KEY_USES } from '../../domain/signing/key-use.ts';
import { EVERY_AREA } from '../composition/areas/all-areas.ts';
import type { Service } from '../composition/bootstrap.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { type Settings, settingsOf } from '../composition/settings.ts';
import type { Config } from '../configuration/config.ts';
import { BACKUP_MANIFEST, dataFiles, makeFolder } from '../configuration/data-dir.ts';
import { type Chosen, type ObjectsEngine, shownPlace, type TableEngine } from '../engines/kinds.ts';
import { openTable } from '../engines/open-engines.ts';
import { inNewFolder } from '../files/new-folder.ts';
import { mendKeys, readKeys, writeKeys } from './keys.ts';
import { bytesOf, copyObjects, examineObjects, objectsIn } from './objects.ts';
import { type Waiting, waitingIn } from './waiting.ts';

const sum = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const Manifest = z.object({
  format: z.literal('account-service-backup-1'),
  /** The id of the store. */
  store: z.uuid(),
  /** The store's host and folder, and its file's inode and birth, which no copy has; absent in older backups. */
  source: z.object({ place: z.string(), file: z.string() }).optional(),
  /** The moment of the database's state. */
  created_at: z.iso.datetime(),
  database: z.object({ entries: count, bytes: count, sha256: sum }),
  /** The checksum of the keys, the sizes and the SHA-256 of all objects. */
  objects: z.object({ objects: count, bytes: count, sha256: sum }),
  keys: z.array(z.object({ name: z.string(), sha256: sum })),
  /** The objects that were lost or damaged in the store, so the backup lacks them. */
  damaged: z.array(z.string()),
});

/** The file that marks a folder as a backup. It is written last, before the folder gets its name. */
export type Manifest = z.infer<typeof Manifest>;

/** The value, or `absent` if the file or folder does not exist. */
const orElse = async <T>(value: Promise<T>, absent: T): Promise<T> => {
  try {
    return await value;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return absent;
    throw error;
  }
};

/** The names in a folder; none if it does not exist. */
const namesIn = (folder: string): Promise<string[]> => orElse(readdir(folder), []);

/** The manifest of a backup; undefined if the folder is not a backup, or an incomplete one. */
const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  try {
    return Manifest.safeParse(JSON.parse(await orElse(readFile(join(folder, BACKUP_MANIFEST), 'utf8'), ''))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const HOUR_MS = 60 * 60 * 1000;

/** The name of a backup is the UTC moment of its state, so that names sort by time. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** A folder that is being written or removed. No backup has such a name. */
const UNFINISHED = /^\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.[0-9a-f]{8}\.(?:partial|removed)$/;

const backupName = (at: Instant): string => `${at.slice(0, 19).replaceAll(':', '-')}Z`;

/**
 * The name of a backup for this moment, or for the first later second whose name is free: two shops may back up to one
 * folder in the same second.
 */
export const freeName = async (folder: string, at: Instant): Promise<string> => {
  const taken = await readdir(folder);
  let moment = at;
  while (taken.includes(backupName(moment))) moment = toInstant(millis(moment) + 1000);
  return backupName(moment);
};

/** The name of an unfinished folder. */
const unfinishedName = (name: string, as: 'partial' | 'removed'): string =>
  `.${name}.${randomBytes(4).toString('hex')}.${as}`;

/** The path with the links of its existing part resolved. */
const realPath = async (path: string): Promise<string> => {
  const whole = resolve(path);
  const real = await orElse(realpath(whole), '');
  return real || join(await realPath(dirname(whole)), basename(whole));
};

/** True if the folder is `within` or inside it, with links resolved. */
const liesIn = async (folder: string, within: string): Promise<boolean> =>
  liesWithin(await realPath(folder), await realPath(within));

/** Deletes leftovers of killed runs once their heartbeat is a day old. */
export const removeStale = async (folder: string): Promise<void> => {
  for (const name of (await readdir(folder)).filter((one) => UNFINISHED.test(one))) {
    // Another run may have finished or removed the folder meanwhile.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - DAY_MS) await rm(join(folder, name), { recursive: true, force: true });
  }
};

/**
 * Marks the folder as in use every hour, because its own modification time does not change with the files in its
 * subfolders. The folder may not exist yet.
 */
export const staysFresh = (folder: string): Disposable => {
  // A fault of the disk ends the copying itself.
  const touch = (): Promise<void> => utimes(folder, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, HOUR_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};

/** The complete backups of a store, and of its copies, in a folder, oldest first. */
const backupsIn = async (folder: string, store: string): Promise<{ name: string; manifest: Manifest }[]> => {
  const names = (await namesIn(folder)).filter((name) => NAME.test(name)).sort();
  const found = await Promise.all(names.map((name) => readManifest(join(folder, name))));
  return names.flatMap((name, n) => (found[n]?.store === store ? { name, manifest: found[n] } : []));
};

/** Removes the backup. It is renamed first, so that a half removed one is never mistaken for a backup. */
const removeBackup = async (folder: string, name: string): Promise<void> => {
  const removed = join(folder, unfinishedName(name, 'removed'));
  await rename(join(folder, name), removed);
  await rm(removed, { recursive: true, force: true });
};

/** Space in addition to the data, in bytes: for folders, object records, and concurrent writes. */
const MARGIN = 16 * 1024 * 1024;

/** Formats a number of bytes for people, such as `1.5 GB`. */
const WORDS = new Intl.NumberFormat('en', {
  notation: 'compact',
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  maximumFractionDigits: 1,
});

/** Throws a one-line error if a folder's disk lacks space for that many bytes of data. */
const needSpace = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + MARGIN) return;
  throw new Error(
    `${folder} has ${WORDS.format(bavail * bsize)} left and this needs ${WORDS.format(bytes + MARGIN)}; free some space, or name a folder on another disk. Nothing was written.`,
  );
};

/**
 * Copies a store between two folders, one of which is a backup: the database by `copyTable`, with this mode, then the
 * objects and the keys. Returns the keys of the objects that are lost or damaged in the source.
 */
const copyFolder = async (
  source: string,
  target: string,
  how: { copyTable: (from: string, to: string) => Promise<void>; mode: number; bytes: number; progress: Progress },
): Promise<string[]> => {
  const [from, to] = [dataFiles(source), dataFiles(target)];
  await how.copyTable(from.table, to.table);
  await chmod(to.table, how.mode);
  // A record is written after its objects, so by now the source has all objects that the copied database names.
  const lost: string[] = [];
  await copyObjects(objectsIn(source), objectsIn(target), counted(how.progress, 'Files', how.bytes), lost);
  await mkdir(to.keys, { mode: 0o700 });
  writeKeys(to.keys, await readKeys(from.keys));
  return lost;
};

type FolderFacts = Pick<Manifest, 'objects' | 'keys'> & { readonly database: { bytes: number; sha256: string } };

/**
 * Reads every byte of a store or a backup in a folder. `faults` are damaged parts: of the database by SQLite's own
 * check, of the objects by their SHA-256.
 */
const examineFolder = async (
  folder: string,
  bytes: number,
  progress: Progress,
): Promise<{ facts: FolderFacts; faults: readonly Fault[] }> => {
  const { table, keys } = dataFiles(folder);
  const broken = (await integrityFaults(table)).map((message) => ({ path: table, message }));
  const { size, sha256 } = await receive(createReadStream(table, { highWaterMark: 256 * 1024 }), {}, () => {});
  const { sums, faulty } = await examineObjects(objectsIn(folder), counted(progress, 'Verifying', bytes));
  const altered = faulty.map((key) => ({ path: key, message: 'has other bytes than those of its record' }));
  const objects = { objects: sums.entries.count, bytes: sums.bytes, sha256: sums.entries.sha256 };
  const files = [...(await readKeys(keys))].map(([name, text]) => ({ name, sha256: hash('sha256', text) }));
  return { facts: { database: { bytes: size, sha256 }, objects, keys: files }, faults: [...broken, ...altered] };
};

type BackupInput = {
  readonly folder: string;
  readonly permit: Permit;
  /** The number of complete backups of this store to keep, including the new one; undefined keeps all. */
  readonly keep?: number | undefined;
  readonly progress?: Progress;
};

export type BackedUp = {
  /** The new backup. */
  readonly backup: string;
  readonly manifest: Manifest;
  /** The older backups that were removed. */
  readonly removed: readonly string[];
  /** Backups that another copy of this store has made, so they are not removed. */
  readonly foreign: readonly string[];
  /** Backups made from this file since its last recorded one: because of them, none was removed. */
  readonly unknown: readonly string[];
  /** Other backups of this store whose names are later than the new one's, because the clock was or is wrong. */
  readonly later: readonly string[];
};

type NotBackedUp = 'elsewhere' | 'folder_in_data_dir' | 'not_equal';

/** The half of a place in `migrate`'s notation. A place with a password is left as a variable for the shell. */
const halfOf = ({ name, place, engine }: Chosen<TableEngine | ObjectsEngine>): string =>
  `${name}:${shownPlace(place) === place ? place : `$${engine.variable}`}`;

const elsewhere = ({ store, objects }: Config) => {
  if (store.engine.variable === null || objects.engine.variable === null) {
    return refuse('elsewhere', { message: 'A store in memory can’t be backed up; set STORE and OBJECTS.' });
  }
  const place = `${halfOf(store)},${halfOf(objects)}`;
  const tools =
    store.name === 'postgres'
      ? 'pg_dump backs up, before a copy of the files and of DATA_DIR/keys (docs/machines.md, "Back up")'
      : [store.name, objects.name].some((name) => name === 'dynamodb' || name === 's3')
        ? 'AWS backs up: DynamoDB goes back to any moment of 35 days, and S3 keeps replaced files as versions (docs/aws.md, "Backup and restore")'
        : 'the tools of its engines back up';
  return refuse('elsewhere', {
    message: `This store is ${place}, which ${tools}. For a copy in a folder run: migrate --from "${place}" --to folder:DIR`,
  });
};

/** A store in a data folder. */
type Store = {
  readonly dataDir: string;
  readonly databaseDir: string;
  readonly settings: Settings;
  readonly bytes: number;
};

/** Runs work on a service with a database and the objects of a folder, and closes the database. */
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
 * The keys of the objects that a backup's database names and that the backup lacks or has with another size. A store
 * that lost its objects lists none, so only the database shows which ones must exist.
 */
const lackedBy = (folder: string, settings: Settings): Promise<string[]> =>
  onService(openSqliteTable(dataFiles(folder).table, { isFinished: true }), { folder, settings }, async (service) => {
    const { faults } = await service.get('checkFiles')({ quick: true, most: Number.POSITIVE_INFINITY });
    return faults.map(({ key }) => key);
  });

/**
 * The folder of the database. SQLite can't open a database on a read-only disk, so it is first copied with its log to a
 * folder beside the backups. That copy then gets the audit entry.
 */
const databaseOf = async (dataDir: string, folder: string): Promise<{ readonly dir: string } & AsyncDisposable> => {
  const { table } = dataFiles(dataDir);
  const isReadOnly = await access(dataDir, constants.W_OK).then(
    () => false,
    () => existsSync(table),
  );
  if (!isReadOnly) return { dir: dataDir, [Symbol.asyncDispose]: async () => {} };
  makeFolder(folder);
  const dir = join(folder, unfinishedName(backupName(toInstant(Date.now())), 'partial'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await mkdir(dir, { mode: 0o700 });
    await copyFile(table, dataFiles(dir).table);
    await orElse(copyFile(`${table}-wal`, `${dataFiles(dir).table}-wal`), undefined);
  } catch (error) {
    await remove();
    throw error;
  }
  return { dir, [Symbol.asyncDispose]: remove };
};

/** Writes a backup under a temporary name, and renames it once it is complete. */
const write = async (
  { dataDir, databaseDir, settings, bytes }: Store,
  { folder, name, progress }: { folder: string; name: string; progress: Progress },
  from: Pick<Manifest, 'store' | 'source' | 'created_at'>,
): Promise<Outcome<Pick<BackedUp, 'backup' | 'manifest'>, NotBackedUp>> => {
  const partial = join(folder, unfinishedName(name, 'partial'));
  using _fresh = staysFresh(partial);
  return await inNewFolder(partial, folder, async () => {
    let entries = 0;
    const copyTable = async (_from: string, to: string): Promise<void> => {
      entries = await snapshot(dataFiles(databaseDir).table, to, (done, total) => progress('Database', done, total));
    };
    // Read-only, because only a mistake would write to a backup.
    const lost = await copyFolder(dataDir, partial, { copyTable, mode: 0o400, bytes, progress });
    const { facts, faults } = await examineFolder(partial, bytes, progress);
    if (faults.length > 0) {
      const message = `The copy in ${folder} differs from the store, and was removed; look at the disk and at the first differences:`;
      return refuse('not_equal', { message, data: { faults } });
    }
    const manifest: Manifest = {
      format: 'account-service-backup-1',
      ...from,
      ...facts,
      database: { entries, ...facts.database },
      damaged: [...new Set([...lost, ...(await lackedBy(partial, settings))])].sort(),
    };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(partial, BACKUP_MANIFEST), text, { mode: 0o600, flag: 'wx', flush: true });
    await syncFolder(partial);
    // Another backup may have taken the name meanwhile.
    const backup = join(folder, await freeName(folder, from.created_at));
    await rename(partial, backup);
    await syncFolder(folder);
    return ok({ backup, manifest });
  });
};

/**
 * Copies the configured store into a new folder, while a server may use it: the database as of one moment, every
 * object, and the keys. The copy is read again before it counts as a backup, and compared with the files that its
 * database names. If the store has lost or damaged objects, the backup omits and names them, and no older backup is
 * removed. The store records its last backup. The audit entry is written before anything is read. Throws a one-line
 * error if the disk is full or there is no store; then no backup is left.
 */
export const backUp = async (
  config: Config,
  urls: Settings['urls'],
  { permit, keep = Number.POSITIVE_INFINITY, progress = unseen, ...input }: BackupInput,
): Promise<Outcome<BackedUp, NotBackedUp>> => {
  if (config.store.name !== 'sqlite' || config.objects.name !== 'filesystem') return elsewhere(config);
  const { dataDir } = config;
  const folder = resolve(input.folder);
  if (await liesIn(folder, dataDir)) {
    return refuse('folder_in_data_dir', {
      message: `${folder} is in DATA_DIR and would be lost with it; name a folder elsewhere, best on another disk.`,
    });
  }
  await using database = await databaseOf(dataDir, folder);
  const size = await snapshotSize(dataFiles(database.dir).table);
  const bytes = await bytesOf(objectsIn(dataDir));
  makeFolder(folder);
  await removeStale(folder);
  await needSpace(folder, size + bytes);
  const at = toInstant(Date.now());
  const name = await freeName(folder, at);
  const settings = settingsOf(config, urls);
  const { table } = await openTable({ ...config, store: { ...config.store, place: database.dir } });
  const { ino, birthtimeNs } = await stat(dataFiles(dataDir).table, { bigint: true });
  const source = { place: `${hostname()}:${dataDir}`, file: `${ino}-${birthtimeNs}` };
  const { id, last, written } = await onService(table, { folder: dataDir, settings }, async (service) => {
    await formatOf(table);
    const event = auditEvent({ kind: 'store', id: join(folder, name) }, 'backup_begun');
    await service.get('auditLog').add(permit, event);
    const id = await ensureStoreId(permit, table);
    const last = (await (table as TypedTable).get(lastRunKey('backup')))?.data.at ?? '';
    const store = { dataDir, databaseDir: database.dir, settings, bytes };
    const written = await write(store, { folder, name, progress }, { store: id, source, created_at: at });
    if (written.ok) {
      const faults = written.value.manifest.damaged.length;
      await table.put(itemOf(lastRunKey('backup'), { at, faults }));
    }
    return { id, last, written };
  });
  if (!written.ok) return written;
  const isWhole = written.value.manifest.damaged.length === 0;
  const made = basename(written.value.backup);
  const others = (await backupsIn(folder, id)).filter(({ name }) => name !== made);
  const { own = [], foreign = [] } = Object.groupBy(others, ({ manifest }) =>
    (manifest.source ?? source).file === source.file ? 'own' : 'foreign',
  );
  // A clone of a whole disk has the same file, and only its backups that this store did not record tell of it.
  const unrecorded = own.filter(({ manifest: { created_at: of } }) => of > last && of < at);
  const unknown = Number.isFinite(keep) ? unrecorded : [];
  // The new backup is not in this list, and counts as one.
  const removed = isWhole && unknown.length === 0 ? own.slice(0, Math.max(0, own.length + 1 - keep)) : [];
  for (const { name } of removed) await removeBackup(folder, name);
  const pathsOf = (some: typeof others): string[] => some.map(({ name }) => join(folder, name));
  return ok({
    ...written.value,
    removed: pathsOf(removed),
    foreign: pathsOf(foreign),
    unknown: pathsOf(unknown),
    later: pathsOf(others.filter((one) => one.name > made && !removed.includes(one))),
  });
};

/** The maximum number of faults to report. */
const TOLD = 10;

/** The differences between a folder and a backup's manifest; none if it has exactly the backed up data. */
const faultsBeside = async (manifest: Manifest, folder: string, progress: Progress): Promise<Fault[]> => {
  const { table, objects } = dataFiles(folder);
  const { facts, faults } = await examineFolder(folder, manifest.objects.bytes, progress);
  const differing = manifest.keys.filter(
    ({ name, sha256 }) => facts.keys.find((one) => one.name === name)?.sha256 !== sha256,
  );
  const counts = `has ${facts.objects.objects} files, and the backup was made with ${manifest.objects.objects} and other sums`;
  return [
    ...(facts.database.sha256 === manifest.database.sha256
      ? []
      : [{ path: table, message: 'has changed since the backup was made' }]),
    ...faults,
    ...(facts.objects.sha256 === manifest.objects.sha256 ? [] : [{ path: objects, message: counts }]),
    ...differing.map(({ name }) => ({ path: name, message: 'is no longer the key that was backed up' })),
  ].slice(0, TOLD);
};

/** `waiting`: what waits to be sent, or what a copy lost. */
export type RestoreSummary = {
  readonly backup: string;
  readonly to: string;
  readonly manifest: Manifest;
  readonly waiting: Waiting;
};

type NotRestored = 'no_backup' | 'target_not_empty' | 'damaged_backup' | 'not_equal';

/** The folder in the target in which the store is assembled. */
const RESTORING = '.restoring';

/** Names that a new disk has by default, and leftovers of an interrupted restore. */
const COUNT_AS_NOTHING = ['lost+found', RESTORING];

/**
 * Creates a store from a backup, in a folder that is missing or empty. First the backup is compared with its manifest,
 * then the new store. An interrupted restore starts over. With `isCopy`, the new store sends nothing that waits in the
 * backup, and pauses its webhooks. Throws a one-line error if the disk is full.
 */
export const restore = async (
  from: string,
  target: string,
  progress: Progress = unseen,
  isCopy = false,
): Promise<Outcome<RestoreSummary, NotRestored>> => {
  const [backup, to] = [resolve(from), resolve(target)];
  const manifest = await readManifest(backup);
  if (!manifest) {
    return refuse('no_backup', { message: `${backup} is no complete backup; name a folder that "backup" has made.` });
  }
  const there = (await namesIn(to)).filter((name) => !COUNT_AS_NOTHING.includes(name));
  if (there.length > 0 || (await liesIn(to, backup))) {
    const why = there.includes('store.db') ? 'holds a store' : 'is not empty';
    return refuse('target_not_empty', { message: `${to} ${why}; name a folder that is empty. Nothing was restored.` });
  }
  const faults = await faultsBeside(manifest, backup, progress);
  if (faults.length > 0) {
    const message = `${backup} is no longer as it was made, so nothing was restored; take another backup. The first differences:`;
    return refuse('damaged_backup', { message, data: { faults } });
  }
  const table = openSqliteTable(dataFiles(backup).table, { isFinished: true });
  await formatOf(table).finally(() => table.close());
  const { bytes } = manifest.objects;
  makeFolder(to);
  await needSpace(to, manifest.database.bytes + bytes);
  const unfinished = join(to, RESTORING);
  await rm(unfinished, { recursive: true, force: true });
  return inNewFolder(unfinished, to, async () => {
    const lost = await copyFolder(backup, unfinished, { copyTable: copyFile, mode: 0o600, bytes, progress });
    if (lost.length > 0)
      throw new Error(`The file ${lost[0]} of ${backup} was damaged meanwhile; take another backup.`);
    const unlike = await faultsBeside(manifest, unfinished, progress);
    if (unlike.length > 0) {
      const message = `The store in ${to} differs from its backup, and was removed; look at the disk. The first differences:`;
      return refuse('not_equal', { message, data: { faults: unlike } });
    }
    const opened = openSqliteTable(dataFiles(isCopy ? unfinished : backup).table, { isFinished: !isCopy });
    const waiting = await waitingIn(opened, isCopy ? toInstant(Date.now()) : null).finally(() => opened.close());
    // The database comes last: without it, the folder is no store.
    const [made, placed] = [dataFiles(unfinished), dataFiles(to)];
    for (const part of ['keys', 'objects', 'table'] as const) await rename(made[part], placed[part]);
    await syncFolder(to);
    return ok({ backup, to, manifest, waiting });
  });
};

export type MendedFrom = MendedFiles & {
  /** The names of the key files that were lost and have been restored. */
  readonly keys: readonly string[];
};

/**
 * Restores the lost or damaged files and keys of a store from a backup, or from the newest backups of a folder that
 * have them. A file is written only if the backup has exactly the bytes of its record, and keys only from backups of
 * this store; everything else stays as it is. A server may use the store meanwhile.
 */
export const mendFrom = async (
  service: Service,
  { dataDir, keySecrets }: Config,
  folder: string,
  permit: Permit,
  progress: Progress,
): Promise<Outcome<MendedFrom, 'no_backup'>> => {
  const table: TypedTable = service.get('table');
  const store = (await table.get(storeIdKey))?.data.id ?? '';
  const isOne = (await readManifest(folder)) !== undefined;
  // The newest comes first.
  const backups = isOne ? [folder] : (await backupsIn(folder, store)).reverse().map(({ name }) => join(folder, name));
  if (backups.length === 0) {
    const message = `${folder} is no complete backup and has none of this store; name a folder that "backup" has made, or the folder of all backups.`;
    return refuse('no_backup', { message });
  }
  const uses = KEY_USES.filter((use) => keySecrets[use] === '');
  const keys: string[] = [];
  for (const backup of backups) {
    if ((await readManifest(backup))?.store !== store) continue;
    keys.push(...(await mendKeys(dataFiles(backup).keys, dataFiles(dataDir).keys, uses)));
  }
  const mended: MendedFiles['mended'][number][] = [];
  let left: MendedFiles['left'] = [];
  for (const backup of backups) {
    const done = await service.get('mendFiles')(permit, { copy: objectsIn(backup).objects, from: backup, progress });
    mended.push(...done.mended);
    left = done.left;
    if (left.length === 0) break;
  }
  return ok({ mended, left, keys });
};
