import { join } from 'node:path';
import { SigningKeyRingFiles } from '../../adapters/crypto/signing-key-ring-files.ts';
import { late } from '../../adapters/host/late.ts';
import { MemorySigningKeyRings } from '../../adapters/memory/memory-signing-key-rings.ts';
import type { SigningKeyRings } from '../../ports/outbound/policy-keys.ts';
import type { Config } from './config.ts';

/**
 * Milliseconds for which an instance keeps the ring that it read from a secret. Each read costs money and a trip over
 * the network.
 */
const SECRET_KEPT_FOR = 60_000;

/** The ring in a secret. Its client is loaded with the first read, so that no function waits for it at its start. */
const inSecret = (arn: string): SigningKeyRings => {
  const open = late(async () => {
    const { SigningKeyRingSecret } = await import('../../adapters/secrets/signing-key-ring-secret.ts');
    return new SigningKeyRingSecret(arn);
  });
  return {
    keptFor: SECRET_KEPT_FOR,
    read: async () => (await open()).read(),
    save: async (ring, read) => (await open()).save(ring, read),
  };
};

/**
 * The keys of the client policy: in the secret that the configuration names, otherwise in files in DATA_DIR. If table
 * and objects are in memory, so are the keys.
 */
export const openSigningKeyRings = (config: Config): SigningKeyRings => {
  if (config.policyKeysSecret !== '') return inSecret(config.policyKeysSecret);
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  return inMemory ? new MemorySigningKeyRings() : new SigningKeyRingFiles(join(config.dataDir, 'keys'));
};
