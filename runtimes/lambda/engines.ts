import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import type { ArtifactSigner } from '../../ports/outbound/artifact-signer.ts';
import type { Config } from '../composition/config.ts';
import { type OpenedEngines, openEngines, openStores } from '../composition/engines.ts';
import type { SignedUrls } from '../composition/opened-objects.ts';

/** A function signs no files. The operator signs them when publishing, with another key. */
const noKey = (): never => {
  throw new Error('A function has no key to sign files with.');
};
const signsNoArtifacts: ArtifactSigner = { sign: noKey, verify: noKey, publicKey: noKey };

/**
 * Opens the engines that the configuration names. With the ARN of a secret, the function signs licenses and tickets
 * with the PEM key in that secret, which is read once. Without an ARN, the key is a file in DATA_DIR, as on a server.
 */
export const openLambdaEngines = async (
  config: Config,
  urls: SignedUrls,
  licenseKeySecret: string | undefined,
): Promise<OpenedEngines> => {
  if (licenseKeySecret === undefined) return openEngines(config, urls);
  const [stores, pem] = await Promise.all([openStores(config, urls), read(licenseKeySecret)]);
  const licenseSigner = new Ed25519Signer(privateKey(pem, licenseKeySecret));
  return { ...stores, licenseSigner, artifactSigner: signsNoArtifacts };
};

/**
 * The key in a secret. A new secret holds a random text until the operator puts the key there; Node's own message for
 * that is about decoders.
 */
const privateKey = (pem: string, arn: string): KeyObject => {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`The secret ${arn} does not hold a private key as PEM; docs/deploy.md says how to put one there.`);
  }
};

/** The client is loaded only by functions that sign, because loading it is a large part of a start. */
const read = async (arn: string): Promise<string> =>
  (await import('../../adapters/secrets/secrets-manager.ts')).readSecret(arn);
