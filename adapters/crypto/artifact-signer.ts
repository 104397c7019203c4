import { sign, verify } from 'node:crypto';
import { toInstant } from '../../domain/shared/instant.ts';
import { currentKey, type PrivateKey, privateKeyIn, type SigningKey } from '../../domain/signing/signing-key-ring.ts';
import type { ArtifactSigner, FileSignature, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { privateKeyOf, publicKeyOf } from './ed25519-keys.ts';
import { noKey } from './signing-key-ring-files.ts';

/** The 32 bytes of a public key in base64: the value of `SUPublicEDKey` in an application that uses Sparkle. */
export const sparkleKey = ({ x }: Pick<SigningKey, 'x'>): string => Buffer.from(x, 'base64url').toString('base64');

/** True for an Ed25519 signature (base64) of the bytes by the key. False for malformed text. */
export const isSignedBy = (key: Pick<SigningKey, 'x'>, bytes: Uint8Array, signature: string): boolean => {
  const decoded = Buffer.from(signature, 'base64');
  return decoded.toString('base64') === signature && verify(null, bytes, publicKeyOf(key), decoded);
};

/** Signs files with the keys of a ring, which is read again for each file. */
export class Ed25519ArtifactSigner implements ArtifactSigner {
  readonly #rings: Pick<SigningKeyRings, 'read'>;

  constructor(rings: Pick<SigningKeyRings, 'read'>) {
    this.#rings = rings;
  }

  async sign(bytes: Uint8Array, kid?: string): Promise<FileSignature> {
    const key = await this.#key(kid);
    return { signature: sign(null, bytes, privateKeyOf(key)).toString('base64'), signed_by: key.kid };
  }

  async canSign(kid: string): Promise<boolean> {
    return privateKeyIn((await this.#rings.read()).ring, kid) !== undefined;
  }

  async signerOf(bytes: Uint8Array, signature: string): Promise<string | undefined> {
    const { ring } = await this.#rings.read();
    return ring.find((key) => isSignedBy(key, bytes, signature))?.kid;
  }

  async publicKey(): Promise<string> {
    return sparkleKey(await this.#key());
  }

  async #key(kid?: string): Promise<PrivateKey> {
    const { ring } = await this.#rings.read();
    const key = kid === undefined ? currentKey(ring, toInstant(Date.now())) : privateKeyIn(ring, kid);
    if (ring.length === 0) throw new Error(noKey('artifact'));
    if (!key) throw new Error('There is no such key to sign files with; run: signing-key list --use artifact');
    return key;
  }
}
