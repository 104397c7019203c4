import { randomBytes } from 'node:crypto';
import type { Router } from 'express';
import { loadOrCreateSecret } from '../../adapters/crypto/secret-file.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { downloadsRouter } from '../../adapters/http/downloads.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { CacheAge } from '../../adapters/store/cache-age.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { Config } from './config.ts';
import { dataFiles, prepareDataDir } from './data-dir.ts';
import type { Engines } from './engine-settings.ts';
import { openKeyRings } from './key-rings.ts';
import { lateObjects } from './late-objects.ts';
import { openSigners, type Signers } from './signing-keys.ts';

export type OpenedStores = Pick<Engines, 'table' | 'objects' | 'keyRings'> & {
  /** Serves the signed download URLs; undefined where the object store does so itself. */
  readonly downloads: Router | undefined;
  /** Removes files that are outdated; undefined where the object store does so itself. */
  readonly tidy: (() => Promise<void>) | undefined;
  readonly close: () => Promise<void>;
};

export type OpenedEngines = OpenedStores & Signers;

/**
 * Milliseconds after which an operator's change is seen by a running server: a second on one machine, half a minute where
 * each look costs a trip over the network. The memory engine has no writers but its own process.
 */
const CATALOG_AGES = { memory: 'unbounded', sqlite: 1000, dynamodb: 30_000 } as const satisfies Record<
  string,
  CacheAge
>;

export const catalogAge = ({ store }: Pick<Config, 'store'>): CacheAge => CATALOG_AGES[store];

/** Opens what the configuration names, with the signing keys in DATA_DIR; see `openStores`. */
export const openEngines = async (config: Config, apiUrl: string): Promise<OpenedEngines> => {
  const signers = openSigners(config);
  return { ...(await openStores(config, apiUrl)), ...signers };
};

/**
 * Opens the table, the objects and the policy's keys that the configuration names. `apiUrl` is the public address that signed downloads are
 * served under, where the object store doesn't serve them itself.
 */
export const openStores = async (config: Config, apiUrl: string): Promise<OpenedStores> => {
  if (config.store === 'sqlite' || config.objects === 'filesystem') prepareDataDir(config.dataDir);
  const { objects, downloads, tidy } = openObjects(config, apiUrl);
  const table = await openTable(config);
  return { table, objects, keyRings: openKeyRings(config), downloads, tidy, close: () => table.close() };
};

/** Each engine is loaded only where it is used: none has a need of another's packages. */
const openTable = async ({ store, dataDir, tableName }: Config): Promise<Table> => {
  if (store === 'memory') return new MemoryTable();
  if (store === 'dynamodb')
    return new (await import('../../adapters/dynamodb/dynamodb-table.ts')).DynamodbTable(tableName);
  return (await import('../../adapters/sqlite/sqlite-table.ts')).openSqliteTable(dataFiles(dataDir).table);
};

const openObjects = (config: Config, apiUrl: string): Pick<OpenedStores, 'objects' | 'downloads' | 'tidy'> => {
  const { bucketName, dataDir } = config;
  if (config.objects === 's3') {
    const load = async () => new (await import('../../adapters/s3/s3-objects.ts')).S3Objects(bucketName);
    return { objects: lateObjects(load), downloads: undefined, tidy: undefined };
  }
  const files = dataFiles(dataDir);
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  const secret = inMemory ? randomBytes(32) : loadOrCreateSecret(files.downloadSecret);
  const signature = new DownloadSignature({ secret, baseUrl: apiUrl });
  if (config.objects === 'memory') {
    const objects = new MemoryObjects(signature);
    return { objects, downloads: downloadsRouter(objects, signature), tidy: undefined };
  }
  const objects = new FilesystemObjects(files.objects, signature);
  return { objects, downloads: downloadsRouter(objects, signature), tidy: () => objects.tidy() };
};
