import type { PublicJwk } from '../../domain/shared/public-jwk.ts';
import { currentKey, publicJwk, type SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { SigningKeyRings } from '../../ports/outbound/signing-keys.ts';
import { Ed25519Signer, Ed25519Verifier } from './ed25519-signer.ts';
import { KeptSigningKeys } from './kept-signing-keys.ts';
import { privateKeyOf, publicKeyOf } from './key-objects.ts';

/** A ring as it signs and verifies. A ring that was read again without a change has the same text, and keeps these. */
type Opened = {
  readonly ring: SigningKeyRing;
  readonly kids: string;
  readonly signer: Ed25519Signer | undefined;
  readonly verifiers: readonly Ed25519Verifier[];
};

const kidsOf = (ring: SigningKeyRing): string => ring.map(({ kid, d }) => `${kid}${d === null ? '' : '+'}`).join();

/**
 * Signs with the key in use of a ring, and verifies with every key that it lists. The ring is read again when it has
 * grown older than `keptFor`, so that a rotation needs no new start. Between two reads, signing costs what one key
 * costs.
 */
export class LicenseKeyRing implements LicenseSigner {
  readonly #keys: KeptSigningKeys;
  #opened: Opened | undefined;

  constructor(rings: Pick<SigningKeyRings, 'keptFor' | 'read'>) {
    this.#keys = new KeptSigningKeys(rings);
  }

  fresh(): Promise<void> | undefined {
    return this.#keys.fresh();
  }

  sign(typ: string, claims: Readonly<Record<string, unknown>>): string {
    const { signer } = this.#open();
    if (!signer) throw new Error('No key signs license tokens; run: signing-key create --use license');
    return signer.sign(typ, claims);
  }

  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined {
    for (const verifier of this.#open().verifiers) {
      const claims = verifier.verify(typ, text);
      if (claims) return claims;
    }
    return undefined;
  }

  publicJwks(): readonly PublicJwk[] {
    return this.#keys.kept().map(publicJwk);
  }

  #open(): Opened {
    const ring = this.#keys.kept();
    if (this.#opened?.ring === ring) return this.#opened;
    const kids = kidsOf(ring);
    // The signer keeps the texts that it signed, which a ring that did not change would lose each second.
    this.#opened = this.#opened?.kids === kids ? { ...this.#opened, ring } : opened(ring, kids);
    return this.#opened;
  }
}

const opened = (ring: SigningKeyRing, kids: string): Opened => {
  const key = currentKey(ring);
  return {
    ring,
    kids,
    signer: key && new Ed25519Signer(privateKeyOf(key)),
    verifiers: ring.map((one) => new Ed25519Verifier(publicKeyOf(one))),
  };
};
