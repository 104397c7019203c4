import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import type { PrivateKey, PublicJwk, SigningKey } from '../../domain/signing/signing-key-ring.ts';
import type { SigningKeyMaker } from '../../ports/outbound/signing.ts';

export const privateKeyOf = ({ x, d }: Pick<PrivateKey, 'x' | 'd'>): KeyObject =>
  createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' });

export const publicKeyOf = ({ x }: Pick<SigningKey, 'x'>): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

/** Node refuses to derive a public key from a public key. */
export const publicPartOf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

/** The public JWK of an Ed25519 key, private or public. `kid` is its RFC 7638 thumbprint. Throws for any other key. */
export const publicJwkOf = (key: KeyObject): PublicJwk => {
  const { kty, crv, x } = publicPartOf(key).export({ format: 'jwk' });
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new Error('The signing key is not an Ed25519 key.');
  // RFC 7638, section 3: only the required members, in this order, without whitespace.
  const kid = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
};

/** The parts of an Ed25519 private key that a ring stores. Throws for any other key. */
export const keyPartsOf = (key: KeyObject): Pick<PrivateKey, 'kid' | 'x' | 'd'> => {
  const { kid, x } = publicJwkOf(key);
  const { d } = key.export({ format: 'jwk' });
  return { kid, x, d: d as string };
};

/**
 * Generates keys with the operating system's random numbers. A `kid` never begins with a hyphen, so that a command line
 * doesn't take it for an option.
 */
export const signingKeyMaker: SigningKeyMaker = {
  newKey() {
    const parts = keyPartsOf(generateKeyPairSync('ed25519').privateKey);
    return parts.kid.startsWith('-') ? this.newKey() : parts;
  },
};

/** A seed as Sparkle's `generate_keys -x` writes it: 32 bytes in base64. */
const SEED = /^[A-Za-z0-9+/]{43}=$/;

/** The DER prefix before the seed of an Ed25519 private key (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (text: string): KeyObject => {
  const seed = text.trim();
  if (!SEED.test(seed)) return createPrivateKey(text);
  return createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, 'base64')]), format: 'der', type: 'pkcs8' });
};

/** Parses an Ed25519 private key: PKCS#8 PEM, or the base64 of the seed; undefined for any other text. */
export const parseSigningKey = (text: string): KeyObject | undefined => {
  try {
    const key = keyOf(text);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // The caller's message names the place and the content it needs; Node's message is about decoders.
    return undefined;
  }
};
