import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { loadOrCreateText } from './secret-file.ts';

/** The text of a private key in such a file. */
export const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();

const newKey = (): string => pemOf(generateKeyPairSync('ed25519').privateKey);

/** A seed as Sparkle's `generate_keys -x` writes it: 32 bytes in base64. */
const SEED = /^[A-Za-z0-9+/]{43}=$/;

/** The DER prefix before the seed of an Ed25519 private key (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (text: string): KeyObject => {
  const seed = text.trim();
  if (!SEED.test(seed)) return createPrivateKey(text);
  return createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, 'base64')]), format: 'der', type: 'pkcs8' });
};

/** The Ed25519 private key in a text: PKCS#8 PEM, or the base64 of the seed; undefined for any other text. */
export const parseSigningKey = (text: string): KeyObject | undefined => {
  try {
    const key = keyOf(text);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // The caller's message names the place and the content it needs; Node's message is about decoders.
    return undefined;
  }
};

/**
 * The Ed25519 private key in a file, which is readable by its owner alone: PKCS#8 PEM, or the base64 of the seed. If
 * there is no file, it is created with a new key. Processes that start at once all get the same key. Throws a one-line
 * error if others may read the file or it holds anything else.
 */
export const loadOrCreateSigningKey = (file: string): KeyObject => {
  const key = parseSigningKey(loadOrCreateText(file, newKey));
  if (!key)
    throw new Error(
      `${file} does not hold an Ed25519 private key (PKCS#8 PEM without a pass phrase, or the base64 of a 32-byte seed, as Sparkle's generate_keys -x writes it).`,
    );
  return key;
};
