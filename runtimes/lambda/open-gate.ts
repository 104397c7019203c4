import { frontOf } from '../../adapters/host/front.ts';
import type { HostOptions } from '../../adapters/host/host.ts';
import { type Gate, gateBehind, OPEN_GATE } from '../../adapters/lambda-events/gate.ts';
import type { Environment } from './open-runtime.ts';

/**
 * The gate of a function. `ORIGIN_SECRET_ARN` names the secrets that CloudFront may show, with commas between them: two
 * while one takes the place of the other. They are read once, when an instance starts, by a client that is loaded only
 * for them. Requests may come directly too where `ORIGIN_SECRET_REQUIRED` is `off`. Without a secret, nothing stands in
 * front of the function.
 */
export const openGate = async (env: Environment, options: Pick<HostOptions, 'log' | 'fault'>): Promise<Gate> => {
  const arns = env['ORIGIN_SECRET_ARN'];
  if (!arns) return OPEN_GATE;
  const { readSecret } = await import('../../adapters/secrets/secrets-manager.ts');
  const secrets = await Promise.all(arns.split(',').map(readSecret));
  return gateBehind(frontOf(secrets, env['ORIGIN_SECRET_REQUIRED'] !== 'off'), options);
};
