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

/** A second is what an operator's change may take to be seen by a running server; the memory engine has no others. */
export const catalogAge = (config: Pick<Config, 'store'>): CacheAge => (config.store === 'memory' ? 'unbounded' : 1000);

/** Opens what the configuration names. `apiUrl` is the public address that signed downloads are served under. */
export const openEngines = async (config: Config, apiUrl: string): Promise<OpenedEngines> => {
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  if (!inMemory) prepareDataDir(config.dataDir);
  const files = dataFiles(config.dataDir);
  const secret = inMemory ? randomBytes(32) : loadOrCreateSecret(files.downloadSecret);
  const key = (file: string): KeyObject =>
    inMemory ? generateKeyPairSync('ed25519').privateKey : loadOrCreateSigningKey(file);
  const signature = new DownloadSignature({ secret, baseUrl: apiUrl });
  const objects =
    config.objects === 'memory' ? new MemoryObjects(signature) : new FilesystemObjects(files.objects, signature);
  const table = config.store === 'memory' ? new MemoryTable() : await openSqlite(files.table);
  return {
    table,
    objects,
    licenseSigner: new Ed25519Signer(key(files.licenseKey)),
    artifactSigner: new Ed25519ArtifactSigner(key(files.artifactKey)),
    downloads: downloadsRouter(objects, signature),
    close: () => table.close(),
  };
};

/** Loaded only where it is used: the other engines have no need of Node's SQLite. */
const openSqlite = async (file: string): Promise<Table> =>
  (await import('../../adapters/sqlite/sqlite-table.ts')).openSqliteTable(file);

const prepareDataDir = (dataDir: string): void => {
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(`DATA_DIR ${dataDir} can't be written (${code}); name a folder that this user may write.`);
  }
};
