import type { PublicJwk } from '../../domain/shared/public-jwk.ts';

/**
 * Signs license decisions and other texts that this service must recognise later. Its keys can change at any time:
 * await `fresh` before the other methods.
 */
export interface LicenseSigner {
  /**
   * Undefined while the keys are as young as they have to be, so that a request waits for nothing. Otherwise a promise
   * that settles when they were read anew. It rejects only where no keys were ever read.
   */
  fresh(): Promise<void> | undefined;
  /** A compact JWS (RFC 7515; EdDSA over Ed25519, RFC 8037) of the claims, with `typ` and `kid` in its header. */
  sign(typ: string, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a text that one of the keys signed for this `typ`; undefined for any other text. */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** The public keys that verify the signatures, of the earlier keys and the next one too. */
  publicJwks(): readonly PublicJwk[];
}
