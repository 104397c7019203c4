import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { KeyRingSecret } from '../../adapters/secrets/key-ring-secret.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import { openKeyRings } from '../../runtimes/composition/key-rings.ts';
import { keyRingsContract } from '../contracts/key-rings.ts';

const client = new SecretsManagerClient({});

/** As the data stack makes it. */
const newSecret = async (text = '{"keys": []}'): Promise<string> => {
  const { ARN } = await client.send(new CreateSecretCommand({ Name: randomUUID(), SecretString: text }));
  return ARN as string;
};

/** The texts of all versions that a label names: only those stay. */
const labelled = async (arn: string): Promise<string> => {
  const { Versions = [] } = await client.send(new ListSecretVersionIdsCommand({ SecretId: arn }));
  const named = Versions.filter(({ VersionStages = [] }) => VersionStages.length > 0);
  const values = await Promise.all(
    named.map(({ VersionId }) => client.send(new GetSecretValueCommand({ SecretId: arn, VersionId }))),
  );
  return values.map(({ SecretString }) => SecretString).join();
};

keyRingsContract('a secret', async () => {
  const arn = await newSecret();
  const config = readConfig({ POLICY_KEYS_SECRET_ARN: arn });
  return { another: () => openKeyRings(config), kept: () => labelled(arn) };
});

const NOW = '2026-11-21T08:00:00.000Z';
const part = (letter: string): string => letter.repeat(43);
const RING = [{ kid: part('a'), x: part('a'), d: part('a'), created_at: NOW, current_from: NOW }];

describe('the keys of the client policy in a secret', () => {
  test('are a JWK set that people can read', async () => {
    const arn = await newSecret();
    const rings = new KeyRingSecret(arn);
    await rings.save(RING, await rings.read());
    const { SecretString = '' } = await client.send(
      new GetSecretValueCommand({ SecretId: arn, VersionStage: 'AWSCURRENT' }),
    );
    expect(JSON.parse(SecretString).keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', ...RING[0] }]);
  });

  test('are not replaced where somebody else put something there by hand', async () => {
    const arn = await newSecret();
    const rings = new KeyRingSecret(arn);
    const read = await rings.read();
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: '{"keys":[]}' }));
    expect(await rings.save(RING, read)).toBe(false);
    expect((await rings.read()).ring).toEqual([]);
  });

  test('are told to be none where the secret holds anything else, without saying what', async () => {
    const arn = await newSecret('a-secret-text');
    await expect(new KeyRingSecret(arn).read()).rejects.toThrow(
      `The secret ${arn} does not hold the keys of the client policy.`,
    );
  });

  test('are out of reach where there is no such secret', async () => {
    const missing = (await newSecret()).replace(/.{6}$/, 'xxxxxx').replace(/secret:/, 'secret:no-');
    await expect(new KeyRingSecret(missing).read()).rejects.toThrow(StoreUnavailable);
  });
});
