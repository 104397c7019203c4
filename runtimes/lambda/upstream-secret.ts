import type { Environment } from './open-runtime.ts';

/**
 * The environment with the secret of the upstream provider's client, which the secret named by
 * `UPSTREAM_CLIENT_SECRET_ARN` holds. It is read once, when an instance starts, by a client that is loaded only for it.
 */
export const withUpstreamSecret = async (env: Environment): Promise<Environment> => {
  const arn = env['UPSTREAM_CLIENT_SECRET_ARN'];
  if (!arn) return env;
  const { readSecret } = await import('../../adapters/secrets/secrets-manager.ts');
  return { ...env, UPSTREAM_CLIENT_SECRET: (await readSecret(arn)).trim() };
};
