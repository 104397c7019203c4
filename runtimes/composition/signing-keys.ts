import { LicenseKeyRing } from '../../adapters/crypto/license-key-ring.ts';
import type { FirstKeys } from '../../adapters/crypto/signing-key-ring-files.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { KeyRings } from '../../ports/outbound/signing-keys.ts';
import type { Config } from './config.ts';
import { prepareDataDir } from './data-dir.ts';
import { openSigningKeyRings } from './signing-key-rings.ts';

export type OpenedKeys = { readonly signingKeyRings: KeyRings; readonly licenseSigner: LicenseSigner };

/** Opens the signing keys, whatever the engines, and reads none of them. */
export const openKeys = (config: Config, firstKeys: FirstKeys = {}): OpenedKeys => {
  const { keySecrets, store, objects, dataDir } = config;
  const inMemory = store === 'memory' && objects === 'memory';
  if (!inMemory && keySecrets.license === '') prepareDataDir(dataDir);
  const signingKeyRings = openSigningKeyRings(config, firstKeys);
  return { signingKeyRings, licenseSigner: new LicenseKeyRing(signingKeyRings.license) };
};

/**
 * Opens the signing keys for a server, which must be able to sign licenses from its first request on. Throws a one-line
 * error where the keys can't be read, or are lost.
 */
export const openReadKeys = async (config: Config, firstKeys: FirstKeys = {}): Promise<OpenedKeys> => {
  const keys = openKeys(config, firstKeys);
  await keys.licenseSigner.fresh();
  return keys;
};
