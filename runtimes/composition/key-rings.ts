import { join } from 'node:path';
import { KeyRingFiles } from '../../adapters/crypto/key-ring-files.ts';
import { MemoryKeyRings } from '../../adapters/memory/memory-key-rings.ts';
import type { KeyRings } from '../../ports/outbound/policy-keys.ts';
import type { Config } from './config.ts';

/** Milliseconds for which instances keep what they read of a secret: each look costs money and a trip. */
const SECRET_KEPT_FOR = 60_000;

/** A secret's client is loaded with the first look, so that no function waits for it at its start. */
const inSecret = (arn: string): KeyRings => {
  let opened: Promise<Omit<KeyRings, 'keptFor'>> | undefined;
  const open = () => {
    opened ??= import('../../adapters/secrets/key-ring-secret.ts').then(({ KeyRingSecret }) => new KeyRingSecret(arn));
    return opened;
  };
  return {
    keptFor: SECRET_KEPT_FOR,
    read: async () => (await open()).read(),
    save: async (ring, read) => (await open()).save(ring, read),
  };
};

/** The keys of the client policy: in the secret that the configuration names, else in files of DATA_DIR. */
export const openKeyRings = (config: Config): KeyRings => {
  if (config.policyKeysSecret !== '') return inSecret(config.policyKeysSecret);
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  return inMemory ? new MemoryKeyRings() : new KeyRingFiles(join(config.dataDir, 'keys'));
};
