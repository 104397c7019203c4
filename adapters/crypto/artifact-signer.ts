import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { ArtifactSigner } from '../../ports/outbound/artifact-signer.ts';

/** Signs files with one Ed25519 private key; throws at once where it is given any other. */
export class Ed25519ArtifactSigner implements ArtifactSigner {
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519') {
      throw new Error('Artifacts are signed with an Ed25519 private key.');
    }
    this.#key = key;
  }

  sign(bytes: Uint8Array): string {
    return sign(null, bytes, this.#key).toString('base64');
  }

  /** The 32 bytes that verify, base64: what an application has as Sparkle's `SUPublicEDKey`. */
  publicKey(): string {
    const { x } = createPublicKey(this.#key).export({ format: 'jwk' });
    return Buffer.from(x as string, 'base64url').toString('base64');
  }
}
