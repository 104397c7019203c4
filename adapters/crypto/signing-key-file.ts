import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { loadOrCreateText } from './secret-file.ts';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

const parse = (pem: string): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // The caller's message names the file and the content it needs; Node's message is about decoders.
    return undefined;
  }
};

/**
 * The Ed25519 private key in a file (PKCS#8 PEM, readable by its owner alone). If there is no file, it is created with
 * a new key. Processes that start at once all get the same key. Throws a one-line error if others may read the file or
 * it holds anything else.
 */
export const loadOrCreateSigningKey = (file: string): KeyObject => {
  const key = parse(loadOrCreateText(file, newKey));
  if (!key) throw new Error(`${file} does not hold an Ed25519 private key (PKCS#8 PEM, without a pass phrase).`);
  return key;
};
