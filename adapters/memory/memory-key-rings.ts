import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import type { KeyRings, ReadKeyRing } from '../../ports/outbound/policy-keys.ts';

/** Keys of the client policy for as long as the process lives; none to begin with. */
export class MemoryKeyRings implements KeyRings {
  readonly keptFor = 0;
  #kept: ReadKeyRing = { ring: [], version: null };

  async read(): Promise<ReadKeyRing> {
    return this.#kept;
  }

  async save(ring: PolicyKeyRing, { version }: ReadKeyRing): Promise<boolean> {
    if (version !== this.#kept.version) return false;
    this.#kept = { ring, version: String(Number(version ?? 0) + 1) };
    return true;
  }
}
