import { millis, toInstant } from '../../domain/shared/instant.ts';
import {
  currentKey,
  handoverAt,
  type PublicJwk,
  publicJwk,
  type SigningKeyRing,
} from '../../domain/signing/signing-key-ring.ts';
import type { LicenseSigner, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { Ed25519Signer, Ed25519Verifier } from './ed25519-signer.ts';
import { KeptSigningKeys } from './kept-signing-keys.ts';
import { privateKeyOf, publicKeyOf } from './key-objects.ts';
import { noKey } from './missing-keys.ts';

/** A ring as it signs and verifies. A ring that was read again without a change has the same text, and keeps these. */
type SigningRing = {
  readonly ring: SigningKeyRing;
  readonly kids: string;
  /** Milliseconds since 1970 at which another key signs. */
  readonly until: number;
  readonly signer: Ed25519Signer | undefined;
  readonly verifiers: readonly Ed25519Verifier[];
};

/** The keys of a ring, and the one that signs. */
const kidsOf = (ring: SigningKeyRing, now: number): string =>
  [...ring, currentKey(ring, toInstant(now))].map((key) => key?.kid).join();

const untilOf = (ring: SigningKeyRing, now: number): number => {
  const at = handoverAt(ring, toInstant(now));
  return at === null ? Number.POSITIVE_INFINITY : millis(at);
};

/**
 * Signs with the key in use of a ring, and verifies with every key that it lists. The ring is read again when it has
 * grown older than `keptFor`, so that a rotation needs no new start. Between two reads, signing costs what one key
 * costs. A key that hands over signs until the moment of the ring, and not until the next read.
 */
export class LicenseKeyRing implements LicenseSigner {
  readonly #keys: KeptSigningKeys;
  #opened: SigningRing | undefined;

  constructor(rings: Pick<SigningKeyRings, 'keptFor' | 'read'>) {
    this.#keys = new KeptSigningKeys(rings);
  }

  fresh(): Promise<void> | undefined {
    return this.#keys.fresh();
  }

  sign(typ: string, claims: Readonly<Record<string, unknown>>): string {
    const { signer } = this.#open();
    if (!signer) throw new Error(noKey('license'));
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

  #open(): SigningRing {
    const ring = this.#keys.kept();
    const now = Date.now();
    if (this.#opened?.ring === ring && now < this.#opened.until) return this.#opened;
    const found = { ring, kids: kidsOf(ring, now), until: untilOf(ring, now) };
    // The signer keeps the texts that it signed, which a ring that did not change would lose each second.
    this.#opened = this.#opened?.kids === found.kids ? { ...this.#opened, ...found } : opened(found, now);
    return this.#opened;
  }
}

const opened = (found: Pick<SigningRing, 'ring' | 'kids' | 'until'>, now: number): SigningRing => {
  const { ring } = found;
  const key = currentKey(ring, toInstant(now));
  return {
    ...found,
    signer: key && new Ed25519Signer(privateKeyOf(key)),
    verifiers: ring.map((one) => new Ed25519Verifier(publicKeyOf(one))),
  };
};
