import {
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { SigningKeyRingSecret } from '../../adapters/secrets/signing-key-ring-secret.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openSigningKeyRings } from '../../runtimes/engines/signing-keys.ts';
import { signingKeyRingsContract } from '../contracts/signing-key-rings.ts';
import { secrets as client, newKeySecret, newSecret } from './support/secrets.ts';

/** The initial texts of the data stack's secrets: of the policy's, and of those that CloudFormation fills. */
const EMPTY = '{"keys": []}';
const UNUSED = "aB3$kZ9!pQ7&xW2#mN5%vL8(rT4)yU1'";

/** The texts of all versions with a label. Secrets Manager keeps only those. */
const labelled = async (arn: string): Promise<string> => {
  const { Versions = [] } = await client.send(new ListSecretVersionIdsCommand({ SecretId: arn }));
  const named = Versions.filter(({ VersionStages = [] }) => VersionStages.length > 0);
  const values = await Promise.all(
    named.map(({ VersionId }) => client.send(new GetSecretValueCommand({ SecretId: arn, VersionId }))),
  );
  return values.map(({ SecretString }) => SecretString).join();
};

signingKeyRingsContract('a secret', async () => {
  const arn = await newSecret(EMPTY);
  const config = readConfig({ POLICY_KEYS_SECRET_ARN: arn });
  return { another: () => openSigningKeyRings(config).policy, kept: () => labelled(arn) };
});

signingKeyRingsContract('a secret with a key', async () => {
  const arn = await newKeySecret();
  const config = readConfig({ LICENSE_KEY_SECRET_ARN: arn });
  return { another: () => openSigningKeyRings(config).license, kept: () => labelled(arn), hasFirstKey: true };
});

signingKeyRingsContract('a secret with the random text of its creation', async () => {
  const arn = await newSecret(UNUSED);
  const config = readConfig({ LICENSE_KEY_SECRET_ARN: arn });
  return { another: () => openSigningKeyRings(config).license, kept: () => labelled(arn) };
});

const NOW = '2026-11-21T08:00:00.000Z';
const part = (letter: string): string => letter.repeat(43);
const RING = [{ kid: part('a'), x: part('a'), d: part('a'), created_at: NOW, current_from: NOW }];

describe('the policy keys in a secret', () => {
  test('the secret has the policy keys as a JWK set', async () => {
    const arn = await newSecret(EMPTY);
    const rings = new SigningKeyRingSecret(arn, 'policy');
    await rings.save(RING, await rings.read());
    const { SecretString = '' } = await client.send(
      new GetSecretValueCommand({ SecretId: arn, VersionStage: 'AWSCURRENT' }),
    );
    expect(JSON.parse(SecretString).keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', ...RING[0] }]);
  });

  test('a save returns false when the secret was changed by hand since the read', async () => {
    const arn = await newSecret(EMPTY);
    const rings = new SigningKeyRingSecret(arn, 'policy');
    const read = await rings.read();
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: '{"keys":[]}' }));
    expect(await rings.save(RING, read)).toBe(false);
    expect((await rings.read()).ring).toEqual([]);
  });

  test('a secret without policy keys fails with a message that names the secret and not its text', async () => {
    const arn = await newSecret('a-secret-text');
    await expect(new SigningKeyRingSecret(arn, 'policy').read()).rejects.toThrow(
      `The secret ${arn} does not hold the keys that sign the client policy`,
    );
  });

  test('a read of a missing secret fails as unavailable', async () => {
    const missing = (await newSecret(EMPTY)).replace(/.{6}$/, 'xxxxxx').replace(/secret:/, 'secret:no-');
    await expect(new SigningKeyRingSecret(missing, 'policy').read()).rejects.toThrow(StoreUnavailable);
  });
});
