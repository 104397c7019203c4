import { createPrivateKey } from 'node:crypto';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import type { Config } from '../composition/config.ts';
import { type OpenedEngines, openEngines } from '../composition/engines.ts';

/**
 * The engines that the configuration names. A function that is given the ARN of a secret signs licenses with the PEM
 * key in it, which is read once; without one, the key is a file in DATA_DIR as anywhere else.
 */
export const openLambdaEngines = async (
  config: Config,
  apiUrl: string,
  licenseKeySecret: string | undefined,
): Promise<OpenedEngines> => {
  const [engines, pem] = await Promise.all([
    openEngines(config, apiUrl),
    licenseKeySecret ? read(licenseKeySecret) : undefined,
  ]);
  return pem === undefined ? engines : { ...engines, licenseSigner: new Ed25519Signer(createPrivateKey(pem)) };
};

/** Loaded by the function that signs alone: the client is a good part of what it takes to start. */
const read = async (arn: string): Promise<string> =>
  (await import('../../adapters/secrets/secrets-manager.ts')).readSecret(arn);
