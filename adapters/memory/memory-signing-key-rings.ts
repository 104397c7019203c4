import type { SigningKeyRing } from '../../domain/policy/signing-key-ring.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/policy-keys.ts';

/** Keeps the signing key ring of the client policy as long as the process lives, and begins with no key. */
export class MemorySigningKeyRings implements SigningKeyRings {
  readonly keptFor = 0;
  #kept: ReadSigningKeyRing = { ring: [], version: null };

  async read(): Promise<ReadSigningKeyRing> {
    return this.#kept;
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    if (version !== this.#kept.version) return false;
    this.#kept = { ring, version: String(Number(version ?? 0) + 1) };
    return true;
  }
}
