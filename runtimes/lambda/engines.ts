import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import type { ArtifactSigner } from '../../ports/outbound/artifact-signer.ts';
import type { Config } from '../composition/config.ts';
import { type OpenedEngines, openEngines, openStores } from '../composition/engines.ts';

/** Files are signed where they are published, by the operator's own key. */
const noKey = (): never => {
  throw new Error('A function has no key to sign files with.');
};
const signsNoArtifacts: ArtifactSigner = { sign: noKey, publicKey: noKey };

/**
 * The engines that the configuration names. A function that is given the ARN of a secret signs licenses and tickets with
 * the PEM key in it, which is read once; without one, the key is a file in DATA_DIR as anywhere else.
 */
export const openLambdaEngines = async (
  config: Config,
  apiUrl: string,
  licenseKeySecret: string | undefined,
): Promise<OpenedEngines> => {
  if (licenseKeySecret === undefined) return openEngines(config, apiUrl);
  const [stores, pem] = await Promise.all([openStores(config, apiUrl), read(licenseKeySecret)]);
  const licenseSigner = new Ed25519Signer(privateKey(pem, licenseKeySecret));
  return { ...stores, licenseSigner, artifactSigner: signsNoArtifacts };
};

/** A new secret holds a random text until somebody puts the key there; Node's own message would tell of decoders. */
const privateKey = (pem: string, arn: string): KeyObject => {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`The secret ${arn} does not hold a private key as PEM; docs/deploy.md says how to put one there.`);
  }
};

/** Loaded by the functions that sign alone: the client is a good part of what it takes to start. */
const read = async (arn: string): Promise<string> =>
  (await import('../../adapters/secrets/secrets-manager.ts')).readSecret(arn);
