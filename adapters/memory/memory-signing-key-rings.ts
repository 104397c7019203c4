import type { SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/signing.ts';

/** Keeps the signing key ring of a use in memory. It starts without a key unless it is given some. */
export class MemorySigningKeyRings implements SigningKeyRings {
  readonly keptFor: number;
  #kept: ReadSigningKeyRing;

  constructor(ring: SigningKeyRing = [], keptFor = 0) {
    this.#kept = { ring, version: null };
    this.keptFor = keptFor;
  }

  async read(): Promise<ReadSigningKeyRing> {
    return this.#kept;
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    if (version !== this.#kept.version) return false;
    this.#kept = { ring, version: String(Number(version ?? 0) + 1) };
    return true;
  }
}
