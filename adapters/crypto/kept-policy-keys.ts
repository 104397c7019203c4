import type { SigningKeyRing } from '../../domain/policy/signing-key-ring.ts';
import type { PolicyKeys, SigningKeyRings } from '../../ports/outbound/policy-keys.ts';

/**
 * Keeps the ring in memory for `keptFor` milliseconds after each read. When a later read fails, the previous ring stays
 * in use. A failed first read throws.
 */
export class KeptPolicyKeys implements PolicyKeys {
  readonly #rings: SigningKeyRings;
  #kept: { readonly ring: SigningKeyRing; readonly until: number } | undefined;
  #reading: Promise<SigningKeyRing> | undefined;

  constructor(rings: SigningKeyRings) {
    this.#rings = rings;
  }

  async current(): Promise<SigningKeyRing> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.ring;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<SigningKeyRing> {
    const before = this.#kept?.ring;
    const ring = await this.#rings.read().then(
      (read) => read.ring,
      (error: unknown) => {
        if (before === undefined) throw error;
        return before;
      },
    );
    this.#kept = { ring, until: performance.now() + this.#rings.keptFor };
    return ring;
  }
}
