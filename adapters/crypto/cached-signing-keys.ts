import type { SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { SigningKeyRings, SigningKeys } from '../../ports/outbound/signing.ts';

/**
 * Keeps a ring in memory for `keptFor` milliseconds after each read. When a later read fails, the previous ring stays
 * in use. A failed first read throws.
 */
export class CachedSigningKeys implements SigningKeys {
  readonly #rings: Pick<SigningKeyRings, 'keptFor' | 'read'>;
  #ring: SigningKeyRing | undefined;
  #until = 0;
  #reading: Promise<void> | undefined;

  constructor(rings: Pick<SigningKeyRings, 'keptFor' | 'read'>) {
    this.#rings = rings;
  }

  async current(): Promise<SigningKeyRing> {
    await this.fresh();
    return this.lastRead();
  }

  /** Undefined while the cached ring is fresh; otherwise a promise that settles after the next read. */
  fresh(): Promise<void> | undefined {
    if (this.#ring && performance.now() < this.#until) return undefined;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The ring as last read, however long ago. Throws if no ring was ever read. */
  lastRead(): SigningKeyRing {
    if (!this.#ring) throw new Error('The signing keys were used before they were read.');
    return this.#ring;
  }

  async #read(): Promise<void> {
    try {
      this.#ring = (await this.#rings.read()).ring;
    } catch (error) {
      if (this.#ring === undefined) throw error;
    }
    this.#until = performance.now() + this.#rings.keptFor;
  }
}
