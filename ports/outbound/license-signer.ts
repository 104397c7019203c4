import type { PublicJwk } from '../../domain/shared/public-jwk.ts';

/** Signs license decisions and other texts that this service must recognise later. The adapter rotates its keys. */
export interface LicenseSigner {
  /** A compact JWS (RFC 7515; EdDSA over Ed25519, RFC 8037) of the claims, with `typ` and `kid` in its header. */
  sign(typ: string, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a text that this signer made for this `typ`; undefined for any other text. */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** The public key that verifies the signatures. */
  publicJwk(): PublicJwk;
}
