import * as z from 'zod';
import { ConfigError } from './config.ts';
import { WEBHOOK_VARIABLES } from './feature-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = Object.keys(WEBHOOK_VARIABLES) as (keyof typeof WEBHOOK_VARIABLES)[];

const WebhookSecretsText = z.partialRecord(z.enum(NAMES), z.string());

/** The webhook variables in the JSON of a secret. Throws ConfigError, which quotes none of the text. */
const webhookVariables = (text: string): Environment => {
  try {
    return WebhookSecretsText.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(
      `The secret of WEBHOOK_SECRETS_ARN takes a JSON object with texts, whose names are ${NAMES.join(', ')}; its text is not shown.`,
    );
  }
};

/**
 * Adds the variables in AWS Secrets Manager to the environment. `UPSTREAM_CLIENT_SECRET_ARN` names the secret with the
 * plain client secret of the upstream provider, and `WEBHOOK_SECRETS_ARN` the one with the signing secrets of webhooks
 * as a JSON object by variable. Both are read once, at the start; the client is loaded only if one is set. Throws if a
 * secret can't be read.
 */
export const withSecrets = async (env: Environment): Promise<Environment> => {
  const { UPSTREAM_CLIENT_SECRET_ARN: upstream, WEBHOOK_SECRETS_ARN: webhooks } = env;
  if (!upstream && !webhooks) return env;
  const { readSecret } = await import('../../adapters/secrets/secrets-manager.ts');
  return {
    ...env,
    ...(upstream && { UPSTREAM_CLIENT_SECRET: (await readSecret(upstream)).trim() }),
    ...(webhooks && webhookVariables(await readSecret(webhooks))),
  };
};
