import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Router } from 'express';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { loadOrCreateSecret } from '../../adapters/crypto/secret-file.ts';
import { loadOrCreateSigningKey } from '../../adapters/crypto/signing-key-file.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { downloadsRouter } from '../../adapters/http/downloads.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { CacheAge } from '../../adapters/store/cache-age.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { Config } from './config.ts';
import type { Engines } from './engine-settings.ts';
import { makeFolder } from './make-folder.ts';

export type OpenedEngines = Engines & {
  /** Serves the signed download URLs; undefined where the object store does so itself. */
  readonly downloads: Router | undefined;
  readonly close: () => Promise<void>;
};

/** Where the embedded store keeps its parts below `DATA_DIR`. */
export const dataFiles = (dataDir: string) => ({
  table: join(dataDir, 'store.db'),
  objects: join(dataDir, 'objects'),
  licenseKey: join(dataDir, 'keys', 'license-signing.pem'),
  artifactKey: join(dataDir, 'keys', 'artifact-signing.pem'),
  downloadSecret: join(dataDir, 'keys', 'download-secret'),
});

/**
 * Milliseconds after which an operator's change is seen by a running server: a second on one machine, half a minute where
 * each look costs a trip over the network. The memory engine has no writers but its own process.
 */
const CATALOG_AGES = { memory: 'unbounded', sqlite: 1000, dynamodb: 30_000 } as const satisfies Record<
  string,
  CacheAge
>;

export const catalogAge = ({ store }: Pick<Config, 'store'>): CacheAge => CATALOG_AGES[store];

/**
 * Opens what the configuration names. `apiUrl` is the public address that signed downloads are served under, where the
 * object store doesn't serve them itself. Keys are files in DATA_DIR whatever the engines.
 */
export const openEngines = async (config: Config, apiUrl: string): Promise<OpenedEngines> => {
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  if (!inMemory) prepareDataDir(config.dataDir);
  const files = dataFiles(config.dataDir);
  const key = (file: string): KeyObject =>
    inMemory ? generateKeyPairSync('ed25519').privateKey : loadOrCreateSigningKey(file);
  const licenseSigner = new Ed25519Signer(key(files.licenseKey));
  const artifactSigner = new Ed25519ArtifactSigner(key(files.artifactKey));
  const newSignature = () =>
    new DownloadSignature({
      secret: inMemory ? randomBytes(32) : loadOrCreateSecret(files.downloadSecret),
      baseUrl: apiUrl,
    });
  const { objects, downloads } = await openObjects(config, newSignature);
  const table = await openTable(config);
  return { table, objects, licenseSigner, artifactSigner, downloads, close: () => table.close() };
};

/** Each engine is loaded only where it is used: none has a need of another's packages. */
const openTable = async ({ store, dataDir, tableName }: Config): Promise<Table> => {
  if (store === 'memory') return new MemoryTable();
  if (store === 'dynamodb')
    return new (await import('../../adapters/dynamodb/dynamodb-table.ts')).DynamodbTable(tableName);
  return (await import('../../adapters/sqlite/sqlite-table.ts')).openSqliteTable(dataFiles(dataDir).table);
};

const openObjects = async (
  config: Config,
  newSignature: () => DownloadSignature,
): Promise<Pick<OpenedEngines, 'objects' | 'downloads'>> => {
  if (config.objects === 's3') {
    const { S3Objects } = await import('../../adapters/s3/s3-objects.ts');
    return { objects: new S3Objects(config.bucketName), downloads: undefined };
  }
  const signature = newSignature();
  const objects =
    config.objects === 'memory'
      ? new MemoryObjects(signature)
      : new FilesystemObjects(dataFiles(config.dataDir).objects, signature);
  return { objects, downloads: downloadsRouter(objects, signature) };
};

const prepareDataDir = (dataDir: string): void => {
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(`DATA_DIR ${dataDir} can't be written (${code}); name a folder that this user may write.`);
  }
};
