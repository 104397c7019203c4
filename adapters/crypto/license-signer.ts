import { type KeyObject, sign, verify } from 'node:crypto';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import {
  currentKey,
  handoverAt,
  type PublicJwk,
  publicJwk,
  type SigningKeyRing,
} from '../../domain/signing/signing-key-ring.ts';
import type { LicenseSigner, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { CachedSigningKeys } from './cached-signing-keys.ts';
import { privateKeyOf, publicJwkOf, publicKeyOf, publicPartOf } from './ed25519-keys.ts';
import { noKey } from './signing-key-ring-files.ts';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const BASE64URL = /^[\w-]+$/;

/** Verifies JWTs with one Ed25519 key, private or public. The constructor throws for any other key. */
export class Ed25519Verifier {
  readonly #key: KeyObject;
  readonly #jwk: PublicJwk;
  /** The encoded protected headers by `typ`. There are few types, because only the code names them. */
  readonly #headers = new Map<string, string>();

  constructor(key: KeyObject) {
    this.#key = publicPartOf(key);
    this.#jwk = publicJwkOf(key);
  }

  /**
   * The claims of a JWT that this key signed with this `typ`; undefined for any other text. The header must equal the
   * signer's own, so that a sender chooses neither `alg` nor `kid` nor `typ`. The claims are parsed only after the
   * signature is verified.
   */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined {
    const [header, claims = '', signature = '', ...more] = text.split('.');
    if (header !== this.header(typ) || more.length > 0 || !BASE64URL.test(claims) || !BASE64URL.test(signature)) {
      return undefined;
    }
    const [signed, bytes] = [Buffer.from(`${header}.${claims}`), Buffer.from(signature, 'base64url')];
    // The last base64url character of 64 bytes has unused bits. Only the canonical encoding is accepted.
    if (bytes.toString('base64url') !== signature || !verify(null, signed, this.#key, bytes)) return undefined;
    return JSON.parse(Buffer.from(claims, 'base64url').toString());
  }

  /** The encoded protected header of every JWT of this key and `typ`. */
  header(typ: string): string {
    const known = this.#headers.get(typ);
    if (known !== undefined) return known;
    const header = base64url(JSON.stringify({ alg: 'EdDSA', typ, kid: this.#jwk.kid }));
    this.#headers.set(typ, header);
    return header;
  }

  publicJwk(): PublicJwk {
    return this.#jwk;
  }
}

/**
 * The maximum number of signed texts to cache for a type, about 1.5 KB each. The oldest are dropped first, because they
 * expire soonest.
 */
const SIGNED = 4000;

/** The encoded protected header of a `typ`, and its latest JWTs by the JSON of their claims. */
type SignedType = { readonly header: string; readonly signed: Map<string, string> };

/**
 * Signs and verifies JWTs with one Ed25519 private key. The constructor throws for any other key. The latest JWTs are
 * cached, because a text always gets the same signature (RFC 8032).
 */
export class Ed25519Signer extends Ed25519Verifier implements LicenseSigner {
  readonly #key: KeyObject;
  readonly #types = new Map<string, SignedType>();

  constructor(key: KeyObject) {
    if (key.type !== 'private') throw new Error('The signing key is not a private key.');
    super(key);
    this.#key = key;
  }

  fresh(): undefined {
    return undefined;
  }

  sign(typ: string, claims: Readonly<Record<string, unknown>>): string {
    const text = JSON.stringify(claims);
    const { header, signed } = this.#typ(typ);
    const cached = signed.get(text);
    if (cached !== undefined) return cached;
    const input = `${header}.${base64url(text)}`;
    const jwt = `${input}.${sign(null, Buffer.from(input), this.#key).toString('base64url')}`;
    signed.set(text, jwt);
    if (signed.size > SIGNED) signed.delete(signed.keys().next().value as string);
    return jwt;
  }

  publicJwks(): readonly PublicJwk[] {
    return [this.publicJwk()];
  }

  #typ(typ: string): SignedType {
    const known = this.#types.get(typ);
    if (known) return known;
    const type = { header: this.header(typ), signed: new Map<string, string>() };
    this.#types.set(typ, type);
    return type;
  }
}

/** A ring with its signer and verifiers. They are reused if the ring is read again unchanged. */
type SigningRing = {
  readonly ring: SigningKeyRing;
  readonly kids: string;
  /** The time in milliseconds since 1970 at which another key starts to sign. */
  readonly until: number;
  readonly signer: Ed25519Signer | undefined;
  readonly verifiers: readonly Ed25519Verifier[];
};

/** Identifies the keys of a ring and the one that signs now. */
const kidsOf = (ring: SigningKeyRing, now: number): string =>
  [...ring, currentKey(ring, toInstant(now))].map((key) => key?.kid).join();

const untilOf = (ring: SigningKeyRing, now: number): number => {
  const at = handoverAt(ring, toInstant(now));
  return at === null ? Number.POSITIVE_INFINITY : millis(at);
};

/**
 * Signs with the current key of a ring, and verifies with every key in it. The ring is read again once it is older than
 * `keptFor`, so that a rotation needs no restart. Between two reads, signing costs as much as with a single key. The
 * next key takes over at the moment that the ring names, not at the next read.
 */
export class LicenseKeyRing implements LicenseSigner {
  readonly #keys: CachedSigningKeys;
  #opened: SigningRing | undefined;

  constructor(rings: Pick<SigningKeyRings, 'keptFor' | 'read'>) {
    this.#keys = new CachedSigningKeys(rings);
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
    return this.#keys.lastRead().map(publicJwk);
  }

  #open(): SigningRing {
    const ring = this.#keys.lastRead();
    const now = Date.now();
    if (this.#opened?.ring === ring && now < this.#opened.until) return this.#opened;
    const found = { ring, kids: kidsOf(ring, now), until: untilOf(ring, now) };
    // Keeps the signers, and with them their cached JWTs, if the ring has not changed.
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
