import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { ArtifactSigner } from '../../ports/outbound/artifact-signer.ts';

/** Signs files with one Ed25519 private key. The constructor throws for any other key. */
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

  verify(bytes: Uint8Array, signature: string): boolean {
    const decoded = Buffer.from(signature, 'base64');
    return decoded.toString('base64') === signature && verify(null, bytes, createPublicKey(this.#key), decoded);
  }

  /** The public key's 32 bytes in base64: the value of `SUPublicEDKey` in an application that uses Sparkle. */
  publicKey(): string {
    const { x } = createPublicKey(this.#key).export({ format: 'jwk' });
    return Buffer.from(x as string, 'base64url').toString('base64');
  }
}
