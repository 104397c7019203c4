import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

import type { PublicJwk } from '../../domain/shared/public-jwk.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** The public part of an Ed25519 key, private or public. Throws where it is of another kind. */
export const publicJwkOf = (key: KeyObject): PublicJwk => {
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new Error('The signing key is not an Ed25519 key.');
  // RFC 7638, section 3: the required members alone, in this order, without white space.
  const kid = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
};

const BASE64URL = /^[\w-]+$/;

/** Signed texts kept, about 1.5 KB each; the first ones go first, since they end soonest. */
const SIGNED = 4000;

/**
 * Signs with one Ed25519 private key; throws at once where it is given any other. The signature of a text is always the
 * same (RFC 8032), so the latest ones are kept rather than computed again.
 */
export class Ed25519Signer implements LicenseSigner {
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #jwk: PublicJwk;
  /** The protected header of each `typ`, encoded. The types are few and fixed by the code. */
  readonly #headers = new Map<string, string>();
  readonly #signed = new Map<string, string>();

  constructor(key: KeyObject) {
    if (key.type !== 'private') throw new Error('The signing key is not a private key.');
    this.#key = key;
    this.#publicKey = createPublicKey(key);
    this.#jwk = publicJwkOf(key);
  }

  sign(typ: string, claims: Readonly<Record<string, unknown>>): string {
    const text = JSON.stringify(claims);
    const name = `${typ} ${text}`;
    const kept = this.#signed.get(name);
    if (kept !== undefined) return kept;
    const input = `${this.#header(typ)}.${base64url(text)}`;
    const signed = `${input}.${sign(null, Buffer.from(input), this.#key).toString('base64url')}`;
    this.#signed.set(name, signed);
    if (this.#signed.size > SIGNED) this.#signed.delete(this.#signed.keys().next().value as string);
    return signed;
  }

  /**
   * Reads no header of others: a text is ours only where it begins with the header that we would write. So neither `alg`
   * nor `kid` nor `typ` is anybody's choice, and the claims are looked at only once the signature has been.
   */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined {
    const [header, claims = '', signature = '', ...more] = text.split('.');
    if (header !== this.#header(typ) || more.length > 0 || !BASE64URL.test(claims) || !BASE64URL.test(signature)) {
      return undefined;
    }
    const [signed, bytes] = [Buffer.from(`${header}.${claims}`), Buffer.from(signature, 'base64url')];
    // The last character of 64 bytes in base64url has bits to spare: only one way of writing them is ours.
    if (bytes.toString('base64url') !== signature || !verify(null, signed, this.#publicKey, bytes)) return undefined;
    return JSON.parse(Buffer.from(claims, 'base64url').toString());
  }

  /** What verifiers need of the key; nothing in it is secret. */
  publicJwk(): PublicJwk {
    return this.#jwk;
  }

  #header(typ: string): string {
    const known = this.#headers.get(typ);
    if (known !== undefined) return known;
    const header = base64url(JSON.stringify({ alg: 'EdDSA', typ, kid: this.#jwk.kid }));
    this.#headers.set(typ, header);
    return header;
  }
}
