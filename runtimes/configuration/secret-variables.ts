import * as z from 'zod';
import { ConfigError } from './config.ts';
import { WEBHOOK_VARIABLES } from './feature-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = Object.keys(WEBHOOK_VARIABLES) as (keyof typeof WEBHOOK_VARIABLES)[];

const WebhookSecretsText = z.partialRecord(z.enum(NAMES), z.string());

/** The variables of the webhooks in the JSON of a secret. Throws ConfigError, which repeats nothing of the text. */
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
 * The environment with the variables that secrets of AWS Secrets Manager hold. `UPSTREAM_CLIENT_SECRET_ARN` names the
 * secret with the client secret of the upstream provider, as it is, and `WEBHOOK_SECRETS_ARN` the one with the signing
 * secrets of webhooks as a JSON object by variable. Both are read once, at the start, by a client that is loaded only
 * for them. Throws if one can't be read.
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
