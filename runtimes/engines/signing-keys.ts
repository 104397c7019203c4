import { join } from 'node:path';
import { signingKeyMaker } from '../../adapters/crypto/ed25519-keys.ts';
import { LicenseKeyRing } from '../../adapters/crypto/license-signer.ts';
import {
  type FirstKeys,
  keysElsewhere,
  lostKeys,
  noKey,
  SigningKeyRingFiles,
} from '../../adapters/crypto/signing-key-ring-files.ts';
import { MemorySigningKeyRings } from '../../adapters/memory/memory-signing-key-rings.ts';
import { lazy, needing } from '../../adapters/system/loading.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { KEY_USES, type KeyUse } from '../../domain/signing/key-use.ts';
import { firstRing, type SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { KeyRings, LicenseSigner, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { type Config, endsWithTheProcess } from '../configuration/config.ts';
import { prepareDataDir } from '../configuration/data-dir.ts';

/**
 * The time for which an instance caches the ring that it read from a secret, in milliseconds. Each read costs money and
 * a network round trip.
 */
const SECRET_CACHE_MS = 60_000;

/** The time for which license keys in memory are cached, in milliseconds, so that no check must wait for them. */
const MEMORY_CACHE_MS = 1000;

/** The ring in a secret. Its client is loaded with the first read, so that it delays no function's start. */
const inSecret = (arn: string, use: KeyUse, made: FirstKeys['made']): SigningKeyRings => {
  const open = lazy(async () => {
    const { SigningKeyRingSecret } = await needing(
      'A signing key in AWS Secrets Manager',
      ['@aws-sdk/client-secrets-manager'],
      () => import('../../adapters/secrets/signing-key-ring-secret.ts'),
    );
    return new SigningKeyRingSecret(arn, use);
  });
  return {
    keptFor: SECRET_CACHE_MS,
    read: async () => (await open()).read(),
    save: async (ring, read) => {
      const saved = await (await open()).save(ring, read);
      // A command without the secret then treats the key as one that it can't find, and creates no other.
      if (saved) await made?.add(use);
      return saved;
    },
  };
};

const newRing = (): SigningKeyRing => firstRing(signingKeyMaker.newKey(), toInstant(Date.now()));

/** New keys that live as long as the process. As in files, the policy has none at first. */
export const memoryKeyRings = (): KeyRings => ({
  policy: new MemorySigningKeyRings(),
  license: new MemorySigningKeyRings(newRing(), MEMORY_CACHE_MS),
  artifact: new MemorySigningKeyRings(newRing()),
});

/**
 * The signing keys: each ring in the secret that the configuration names for it, otherwise in files in DATA_DIR. If
 * table and objects are in memory, so are the keys. `firstKeys` applies to the files.
 */
export const openSigningKeyRings = (config: Config, firstKeys: FirstKeys = {}): KeyRings => {
  const { keySecrets, dataDir } = config;
  const memory = endsWithTheProcess(config) ? memoryKeyRings() : undefined;
  const open = (use: KeyUse): SigningKeyRings => {
    if (keySecrets[use] !== '') return inSecret(keySecrets[use], use, firstKeys.made);
    return memory?.[use] ?? new SigningKeyRingFiles(join(dataDir, 'keys'), use, firstKeys);
  };
  return Object.fromEntries(KEY_USES.map((use) => [use, open(use)])) as KeyRings;
};

export type OpenedKeys = { readonly signingKeyRings: KeyRings; readonly licenseSigner: LicenseSigner };

/** False if only an operator may create a first key, and no server or command does so on the fly. */
export const makesKeys = ({ store }: Pick<Config, 'store'>): boolean => store.engine.makesKeys !== false;

/** The sentence about keys that the store once had and that are not in the folder. */
export const absentKeys = (config: Pick<Config, 'store'>) => (makesKeys(config) ? lostKeys : keysElsewhere);

/** Opens the signing keys for any engines, without reading them. */
export const openKeys = (config: Config, firstKeys: FirstKeys = {}): OpenedKeys => {
  const { keySecrets, dataDir } = config;
  if (!endsWithTheProcess(config) && keySecrets.license === '') prepareDataDir(dataDir);
  const { make = makesKeys(config) } = firstKeys;
  const signingKeyRings = openSigningKeyRings(config, { ...firstKeys, make, absent: absentKeys(config) });
  return { signingKeyRings, licenseSigner: new LicenseKeyRing(signingKeyRings.license) };
};

/**
 * Opens the signing keys for a server, which must be able to sign licenses from its first request on. Throws a one-line
 * error if the keys can't be read, are lost, or were never created.
 */
export const openReadKeys = async (config: Config, firstKeys: FirstKeys = {}): Promise<OpenedKeys> => {
  const keys = openKeys(config, firstKeys);
  await keys.licenseSigner.fresh();
  if (keys.licenseSigner.publicJwks().length === 0) throw new Error(noKey('license'));
  return keys;
};
