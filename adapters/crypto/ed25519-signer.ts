import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

import type { PublicJwk } from '../../domain/signing/signing-key-ring.ts';
import type { LicenseSigner } from '../../ports/outbound/signing.ts';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Node refuses to derive a public key from a public key. */
const publicPartOf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

/** The public JWK of an Ed25519 key, private or public. `kid` is its RFC 7638 thumbprint. Throws for any other key. */
export const publicJwkOf = (key: KeyObject): PublicJwk => {
  const { kty, crv, x } = publicPartOf(key).export({ format: 'jwk' });
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new Error('The signing key is not an Ed25519 key.');
  // RFC 7638, section 3: the required members alone, in this order, without white space.
  const kid = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
};

const BASE64URL = /^[\w-]+$/;

/** Verifies JWTs with one Ed25519 key, private or public. The constructor throws for any other key. */
export class Ed25519Verifier {
  readonly #key: KeyObject;
  readonly #jwk: PublicJwk;
  /** The encoded protected headers by `typ`. The types are few, because the code names them. */
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

  /** The public key for verifiers. */
  publicJwk(): PublicJwk {
    return this.#jwk;
  }
}

/** The most signed texts of a type to keep, about 1.5 KB each. The oldest go first, because they expire soonest. */
const SIGNED = 4000;

/** The encoded protected header of a `typ`, and the JWTs of the latest claims by their JSON. */
type SignedType = { readonly header: string; readonly signed: Map<string, string> };

/**
 * Signs and verifies JWTs with one Ed25519 private key, for good. The constructor throws for any other key. The latest
 * signed texts are kept, because a text always gets the same signature (RFC 8032).
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
    const kept = signed.get(text);
    if (kept !== undefined) return kept;
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
