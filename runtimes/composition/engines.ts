import { late } from '../../adapters/host/late.ts';
import type { TableScan } from '../../adapters/store/account-erasures.ts';
import type { CacheAge } from '../../adapters/store/cache-age.ts';
import { StoredMadeKeys } from '../../adapters/store/made-keys.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { Config } from './config.ts';
import { dataFiles, prepareDataDir } from './data-dir.ts';
import type { Engines } from './engine-settings.ts';
import { lateObjects } from './late-objects.ts';
import { type Measures, UNMEASURED } from './measures.ts';
import type { OpenedObjects, SignedUrls } from './opened-objects.ts';
import { type OpenedKeys, openKeys, openReadKeys } from './signing-keys.ts';

export type OpenedStores = Pick<Engines, 'table' | 'tableScan'> &
  OpenedObjects & { readonly close: () => Promise<void> };

export type OpenedEngines = OpenedStores & OpenedKeys;

/**
 * Milliseconds until a running server sees an operator's change: a second on one machine, and half a minute if each
 * look takes a trip over the network. Nobody but its own process writes to the memory engine.
 */
const CATALOG_AGES = { memory: 'unbounded', sqlite: 1000, dynamodb: 30_000 } as const satisfies Record<
  string,
  CacheAge
>;

export const catalogAge = ({ store }: Pick<Config, 'store'>): CacheAge => CATALOG_AGES[store];

/** Opens the stores and the signing keys that the configuration names; see `openStores`. */
export const openEngines = async (config: Config, urls: SignedUrls, measures?: Measures): Promise<OpenedEngines> => {
  const stores = await openStores(config, urls, measures);
  try {
    return { ...stores, ...(await openReadKeys(config, { made: new StoredMadeKeys(stores.table) })) };
  } catch (error) {
    await stores.close();
    throw error;
  }
};

/** Opens the stores and the signing keys for an examination, which makes no key. */
export const openExamined = async (config: Config, urls: SignedUrls): Promise<OpenedEngines> => {
  const stores = await openStores(config, urls);
  return { ...stores, ...openKeys(config, { made: new StoredMadeKeys(stores.table), make: false }) };
};

/**
 * Opens the table and the objects that the configuration names. `urls` are the addresses of signed downloads and
 * uploads, if the object store does not serve them itself. `measures` sees every call of the stores.
 */
export const openStores = async (
  config: Config,
  urls: SignedUrls,
  measures: Measures = UNMEASURED,
): Promise<OpenedStores> => {
  if (config.store === 'sqlite' || config.objects === 'filesystem') prepareDataDir(config.dataDir);
  const opened = await openObjects(config, urls, measures);
  const unmeasured = await openTable(config);
  const table = measures.table(unmeasured);
  return { ...opened, table, tableScan: scanOf(config, unmeasured), close: () => table.close() };
};

/**
 * Opens what a command of the operator needs: no routes, and the object store and the keys only with the first use of
 * them, because most commands use none.
 */
export const openOperatorEngines = async (
  config: Config,
  urls: SignedUrls,
): Promise<Omit<Engines, 'jobBell'> & Pick<OpenedStores, 'close'>> => {
  if (config.objects === 'filesystem') prepareDataDir(config.dataDir);
  const objects = lateObjects(async () => (await openObjects(config, urls, UNMEASURED)).objects);
  const table = await openTable(config);
  const keys = openKeys(config, { made: new StoredMadeKeys(table) });
  return { ...keys, table, tableScan: scanOf(config, table), objects, close: () => table.close() };
};

/** The scan of an opened table. That of DynamoDB loads with the first page. */
const scanOf = ({ tableName }: Config, table: Table & Partial<TableScan>): TableScan => {
  const dynamodb = late(async () => {
    const [{ dynamodbClient }, { DynamodbDump }] = await Promise.all([
      import('../../adapters/dynamodb/client.ts'),
      import('../../adapters/dynamodb/dynamodb-dump.ts'),
    ]);
    return new DynamodbDump(tableName, dynamodbClient());
  });
  return {
    dump: async (liveAt, after) => table.dump?.(liveAt, after) ?? (await dynamodb()).dump(liveAt, after),
  };
};

/** Opens the table alone. An engine loads only if it is used, so that no engine needs the packages of another. */
export const openTable = async ({ store, dataDir, tableName }: Config): Promise<Table & Partial<TableScan>> => {
  if (store === 'sqlite') prepareDataDir(dataDir);
  if (store === 'memory') return new (await import('../../adapters/memory/memory-table.ts')).MemoryTable();
  if (store === 'dynamodb')
    return new (await import('../../adapters/dynamodb/dynamodb-table.ts')).DynamodbTable(tableName);
  return (await import('../../adapters/sqlite/sqlite-table.ts')).openSqliteTable(dataFiles(dataDir).table);
};

/** Loads an object store only if it is used: a function has no need of those in memory and on disk. */
const openObjects = async (config: Config, urls: SignedUrls, measures: Measures): Promise<OpenedObjects> => {
  if (config.objects !== 's3')
    return (await import('./embedded-objects.ts')).openEmbeddedObjects(config, urls, measures);
  const load = async () => new (await import('../../adapters/s3/s3-objects.ts')).S3Objects(config.bucketName);
  return { objects: measures.objects(lateObjects(load)), downloads: undefined, uploads: undefined, tidy: undefined };
};
