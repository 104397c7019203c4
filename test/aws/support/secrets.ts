import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { pemOf } from '../../../adapters/crypto/signing-key-file.ts';

export const secrets = new SecretsManagerClient({});

/** Creates a secret with a text, and returns its ARN. */
export const newSecret = async (text: string): Promise<string> => {
  const { ARN } = await secrets.send(new CreateSecretCommand({ Name: randomUUID(), SecretString: text }));
  return ARN as string;
};

/** Creates a secret with a key that signs. */
export const newKeySecret = (): Promise<string> => newSecret(pemOf(generateKeyPairSync('ed25519').privateKey));
