import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/**
 * The text of a secret in AWS Secrets Manager, by its ARN. Throws if the secret can't be read or has no text. The error
 * names the secret and never contains its text.
 */
export const readSecret = async (arn: string): Promise<string> => {
  const client = new SecretsManagerClient({});
  try {
    const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    if (text === undefined || text === '') throw new Error('it holds no text');
    return text;
  } catch (error) {
    throw new Error(`The secret ${arn} can't be read: ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    client.destroy();
  }
};
