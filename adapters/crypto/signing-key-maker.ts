import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { PrivateKey } from '../../domain/signing/signing-key-ring.ts';
import type { SigningKeyMaker } from '../../ports/outbound/signing.ts';
import { publicJwkOf } from './ed25519-signer.ts';

/** The parts of an Ed25519 private key, as a ring keeps them. Throws for any other key. */
export const keyPartsOf = (key: KeyObject): Pick<PrivateKey, 'kid' | 'x' | 'd'> => {
  const { kid, x } = publicJwkOf(key);
  const { d } = key.export({ format: 'jwk' });
  return { kid, x, d: d as string };
};

/**
 * Makes keys with the operating system's random numbers. A `kid` never begins with a hyphen, so that a command line
 * doesn't take it for an option.
 */
export const signingKeyMaker: SigningKeyMaker = {
  newKey() {
    const parts = keyPartsOf(generateKeyPairSync('ed25519').privateKey);
    return parts.kid.startsWith('-') ? this.newKey() : parts;
  },
};
