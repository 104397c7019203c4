import { LicenseKeyRing } from '../../adapters/crypto/license-key-ring.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { KeyRings } from '../../ports/outbound/signing-keys.ts';
import type { Config } from './config.ts';
import { prepareDataDir } from './data-dir.ts';
import { openSigningKeyRings } from './signing-key-rings.ts';

export type OpenedKeys = { readonly signingKeyRings: KeyRings; readonly licenseSigner: LicenseSigner };

/** Opens the signing keys, whatever the engines, and reads none of them. */
export const openKeys = (config: Config): OpenedKeys => {
  const { keySecrets, store, objects, dataDir } = config;
  const inMemory = store === 'memory' && objects === 'memory';
  if (!inMemory && keySecrets.license === '') prepareDataDir(dataDir);
  const signingKeyRings = openSigningKeyRings(config);
  return { signingKeyRings, licenseSigner: new LicenseKeyRing(signingKeyRings.license) };
};

/**
 * Opens the signing keys for a server, which must be able to sign licenses from its first request on. Throws a one-line
 * error where the keys can't be read.
 */
export const openReadKeys = async (config: Config): Promise<OpenedKeys> => {
  const keys = openKeys(config);
  await keys.licenseSigner.fresh();
  return keys;
};
