import { randomBytes } from 'node:crypto';
import { loadOrCreateSecret } from '../../adapters/crypto/secret-file.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { downloadsRoute } from '../../adapters/host/downloads.ts';
import type { HostRoute } from '../../adapters/host/host.ts';
import { uploadsRoute } from '../../adapters/host/uploads.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { CacheAge } from '../../adapters/store/cache-age.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Config } from './config.ts';
import { dataFiles, prepareDataDir } from './data-dir.ts';
import type { Engines } from './engine-settings.ts';
import { lateObjects } from './late-objects.ts';
import { openSigningKeyRings } from './signing-key-rings.ts';
import { openSigners, type Signers } from './signing-keys.ts';

export type OpenedStores = Pick<Engines, 'table' | 'objects' | 'signingKeyRings'> & {
  /** The route of signed download URLs; undefined if the object store serves them itself. */
  readonly downloads: HostRoute | undefined;
  /** The route of signed upload URLs; undefined if the object store serves them itself. */
  readonly uploads: HostRoute | undefined;
  /** Removes the files of support reports whose retention has ended; undefined if the object store does so itself. */
  readonly tidy: (() => Promise<void>) | undefined;
  readonly close: () => Promise<void>;
};

export type OpenedEngines = OpenedStores & Signers;

/**
 * Milliseconds until a running server sees an operator's change: a second on one machine, and half a minute if each
 * look takes a trip over the network. Nobody but its own process writes to the memory engine.
 */
const CATALOG_AGES = { memory: 'unbounded', sqlite: 1000, dynamodb: 30_000 } as const satisfies Record<
  string,
  CacheAge
>;

export const catalogAge = ({ store }: Pick<Config, 'store'>): CacheAge => CATALOG_AGES[store];

/** Public addresses of signed downloads (API host) and signed uploads (design host). */
export type SignedUrls = Readonly<Pick<Record<Host, string>, 'api' | 'design'>>;

/** Opens the stores that the configuration names, and the signing keys in DATA_DIR; see `openStores`. */
export const openEngines = async (config: Config, urls: SignedUrls): Promise<OpenedEngines> => {
  const signers = openSigners(config);
  return { ...(await openStores(config, urls)), ...signers };
};

/**
 * Opens the table, the objects and the policy keys that the configuration names. `urls` are the addresses of signed
 * downloads and uploads, if the object store does not serve them itself.
 */
export const openStores = async (config: Config, urls: SignedUrls): Promise<OpenedStores> => {
  if (config.store === 'sqlite' || config.objects === 'filesystem') prepareDataDir(config.dataDir);
  const opened = openObjects(config, urls);
  const table = await openTable(config);
  return { ...opened, table, signingKeyRings: openSigningKeyRings(config), close: () => table.close() };
};

/** Loads an engine only if it is used, so that no engine needs the packages of another. */
const openTable = async ({ store, dataDir, tableName }: Config): Promise<Table> => {
  if (store === 'memory') return new MemoryTable();
  if (store === 'dynamodb')
    return new (await import('../../adapters/dynamodb/dynamodb-table.ts')).DynamodbTable(tableName);
  return (await import('../../adapters/sqlite/sqlite-table.ts')).openSqliteTable(dataFiles(dataDir).table);
};

type OpenedObjects = Pick<OpenedStores, 'objects' | 'downloads' | 'uploads' | 'tidy'>;

const openObjects = (config: Config, urls: SignedUrls): OpenedObjects => {
  const { bucketName, dataDir } = config;
  if (config.objects === 's3') {
    const load = async () => new (await import('../../adapters/s3/s3-objects.ts')).S3Objects(bucketName);
    return { objects: lateObjects(load), downloads: undefined, uploads: undefined, tidy: undefined };
  }
  const files = dataFiles(dataDir);
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  const secret = inMemory ? randomBytes(32) : loadOrCreateSecret(files.downloadSecret);
  const downloads = new DownloadSignature({ secret, baseUrl: urls.api });
  const uploads = new UploadSignature({ secret, baseUrl: urls.design });
  const routed = <S extends ObjectStore>(objects: S) => ({
    objects,
    downloads: downloadsRoute(objects, downloads),
    uploads: uploadsRoute(objects, uploads),
  });
  if (config.objects === 'memory') return { ...routed(new MemoryObjects(downloads, uploads)), tidy: undefined };
  const objects = new FilesystemObjects(files.objects, downloads, uploads);
  return { ...routed(objects), tidy: () => objects.tidy() };
};
