import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import type { KeyRings, PolicyKeys } from '../../ports/outbound/policy-keys.ts';

/**
 * A ring as requests see it: read with the first of them, and again with the first after `keptFor`. While it can't be
 * read again, the one before goes on; a first reading that fails throws.
 */
export class KeptPolicyKeys implements PolicyKeys {
  readonly #rings: KeyRings;
  #kept: { readonly ring: PolicyKeyRing; readonly until: number } | undefined;
  #reading: Promise<PolicyKeyRing> | undefined;

  constructor(rings: KeyRings) {
    this.#rings = rings;
  }

  async current(): Promise<PolicyKeyRing> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.ring;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<PolicyKeyRing> {
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
