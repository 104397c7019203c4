import type { PublicJwk } from '../../domain/shared/public-jwk.ts';

/** Signs license decisions and what else has to be known again. The rotation of its keys is the adapter's own matter. */
export interface LicenseSigner {
  /** A compact JWS (RFC 7515, EdDSA over Ed25519, RFC 8037) of the claims, header `typ` and `kid` included. */
  sign(typ: string, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a text that this very signer made for this `typ`; undefined for any other text. */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** What verifies the signatures; nothing in it is secret. */
  publicJwk(): PublicJwk;
}
