import type { SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/signing.ts';

/** Keeps the signing key ring of a use in memory. It starts without a key unless it is given some. */
export class MemorySigningKeyRings implements SigningKeyRings {
  readonly keptFor: number;
  #stored: ReadSigningKeyRing;

  constructor(ring: SigningKeyRing = [], keptFor = 0) {
    this.#stored = { ring, version: null };
    this.keptFor = keptFor;
  }

  async read(): Promise<ReadSigningKeyRing> {
    return this.#stored;
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    if (version !== this.#stored.version) return false;
    this.#stored = { ring, version: String(Number(version ?? 0) + 1) };
    return true;
  }
}
