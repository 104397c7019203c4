import { randomUUID } from 'node:crypto';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { signingKeyMaker } from '../../../adapters/crypto/ed25519-keys.ts';
import { firstRing, writeSigningKeyRing } from '../../../domain/signing/signing-key-ring.ts';
import { NOW } from '../../support/builders.ts';

export const secrets = new SecretsManagerClient({});

/** Creates a secret with a text, and returns its ARN. */
export const newSecret = async (text: string): Promise<string> => {
  const { ARN } = await secrets.send(new CreateSecretCommand({ Name: randomUUID(), SecretString: text }));
  return ARN as string;
};

/** Creates a secret with a key that signs. */
export const newKeySecret = (): Promise<string> =>
  newSecret(writeSigningKeyRing(firstRing(signingKeyMaker.newKey(), NOW)));
