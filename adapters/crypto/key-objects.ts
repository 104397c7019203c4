import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { PrivateKey, SigningKey } from '../../domain/signing/signing-key-ring.ts';

/** The private key of a key of a ring, as Node signs with it. */
export const privateKeyOf = ({ x, d }: Pick<PrivateKey, 'x' | 'd'>): KeyObject =>
  createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' });

/** The public key of a key of a ring, as Node verifies with it. */
export const publicKeyOf = ({ x }: Pick<SigningKey, 'x'>): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
