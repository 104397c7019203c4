import { LicenseKeyRing } from '../../adapters/crypto/license-key-ring.ts';
import { keysElsewhere, lostKeys, noKey } from '../../adapters/crypto/missing-keys.ts';
import type { FirstKeys } from '../../adapters/crypto/signing-key-ring-files.ts';
import type { KeyRings, LicenseSigner } from '../../ports/outbound/signing.ts';
import { type Config, endsWithTheProcess } from './config.ts';
import { prepareDataDir } from './data-dir.ts';
import { openSigningKeyRings } from './signing-key-rings.ts';

export type OpenedKeys = { readonly signingKeyRings: KeyRings; readonly licenseSigner: LicenseSigner };

/** False where a first key is made by an operator alone, and by no server or command on the way. */
export const makesKeys = ({ store }: Pick<Config, 'store'>): boolean => store.engine.makesKeys !== false;

/** The sentence about keys that the store once had and that are not in the folder. */
export const absentKeys = (config: Pick<Config, 'store'>) => (makesKeys(config) ? lostKeys : keysElsewhere);

/** Opens the signing keys, whatever the engines, and reads none of them. */
export const openKeys = (config: Config, firstKeys: FirstKeys = {}): OpenedKeys => {
  const { keySecrets, dataDir } = config;
  if (!endsWithTheProcess(config) && keySecrets.license === '') prepareDataDir(dataDir);
  const { make = makesKeys(config) } = firstKeys;
  const signingKeyRings = openSigningKeyRings(config, { ...firstKeys, make, absent: absentKeys(config) });
  return { signingKeyRings, licenseSigner: new LicenseKeyRing(signingKeyRings.license) };
};

/**
 * Opens the signing keys for a server, which must be able to sign licenses from its first request on. Throws a one-line
 * error where the keys can't be read, are lost, or where there is none.
 */
export const openReadKeys = async (config: Config, firstKeys: FirstKeys = {}): Promise<OpenedKeys> => {
  const keys = openKeys(config, firstKeys);
  await keys.licenseSigner.fresh();
  if (keys.licenseSigner.publicJwks().length === 0) throw new Error(noKey('license'));
  return keys;
};
