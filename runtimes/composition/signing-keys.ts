import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { loadOrCreateSigningKey } from '../../adapters/crypto/signing-key-file.ts';
import type { Config } from './config.ts';
import { dataFiles, prepareDataDir } from './data-dir.ts';
import type { Engines } from './engine-settings.ts';

export type Signers = Pick<Engines, 'licenseSigner' | 'artifactSigner'>;

/**
 * Opens the signing keys in DATA_DIR, whatever the engines, and creates those that are missing. If table and objects
 * are in memory, so are the keys.
 */
export const openSigners = ({ dataDir, store, objects }: Config): Signers => {
  const inMemory = store === 'memory' && objects === 'memory';
  if (!inMemory) prepareDataDir(dataDir);
  const { licenseKey, artifactKey } = dataFiles(dataDir);
  const key = (file: string): KeyObject =>
    inMemory ? generateKeyPairSync('ed25519').privateKey : loadOrCreateSigningKey(file);
  return {
    licenseSigner: new Ed25519Signer(key(licenseKey)),
    artifactSigner: new Ed25519ArtifactSigner(key(artifactKey)),
  };
};
