import type { KeyUse } from '../../domain/signing/key-use.ts';
import type { PrivateKey, PublicJwk, SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';

export interface SigningKeys {
  /** Every key; empty if none was ever made. It can be as old as `SigningKeyRings.keptFor`, at most a minute. */
  current(): Promise<SigningKeyRing>;
}

/** The ring as it was read; `version` is null if there was none. */
export type ReadSigningKeyRing = { readonly ring: SigningKeyRing; readonly version: string | null };

/** The storage of the signing keys of one use, for the operator's tools. */
export interface SigningKeyRings {
  /** Milliseconds for which requests may cache a ring, at most 60,000. */
  readonly keptFor: number;
  /**
   * Throws where the place holds anything but a ring, or where others may read it. The message never quotes the
   * content. Makes the first key where there is none and one is to be made by the way. Where an operator `brings` a key,
   * a place without any is empty, even one whose keys are lost.
   */
  read(given?: { readonly brings: boolean }): Promise<ReadSigningKeyRing>;
  /**
   * Writes the ring whole or not at all; false, with nothing written, if it has changed since it was read. Writing
   * leaves no earlier ring behind, because it may contain the private part of a key that must no longer sign.
   */
  save(ring: SigningKeyRing, read: ReadSigningKeyRing): Promise<boolean>;
}

export type KeyRings = Readonly<Record<KeyUse, SigningKeyRings>>;

export interface SigningKeyMaker {
  /** A new Ed25519 key (RFC 8037), named by its RFC 7638 thumbprint. */
  newKey(): Pick<PrivateKey, 'kid' | 'x' | 'd'>;
}

export interface PolicySigner {
  /**
   * A compact JWS (RFC 7515; EdDSA over Ed25519, RFC 8037). Its header has `kid` and `typ: client-policy+jws`, and its
   * payload is the document as RFC 8785 JSON. The same document and key give the same text.
   */
  sign(key: PrivateKey, document: object): string;
}

/**
 * Signs license decisions and other texts that this service must verify later. Its keys can change at any time: await
 * `fresh` before the other methods.
 */
export interface LicenseSigner {
  /**
   * Undefined while the cached keys are fresh enough, so a request need not wait. Otherwise a promise that settles when
   * they are read again. It rejects only if no keys were ever read.
   */
  fresh(): Promise<void> | undefined;
  /** A compact JWS (RFC 7515; EdDSA over Ed25519, RFC 8037) of the claims, with `typ` and `kid` in its header. */
  sign(typ: string, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a text that one of the keys signed for this `typ`; undefined for any other text. */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** The public keys that verify the signatures, of the earlier keys and the next one too. */
  publicJwks(): readonly PublicJwk[];
}

/** The most bytes that one call can sign: 2 GiB less one. */
export const MAX_SIGNED_BYTES = 2 ** 31 - 1;

/** The signature of a file, and the id of the key that made it. */
export type FileSignature = {
  /** Ed25519 (RFC 8032), base64, as Sparkle's `edSignature`. */
  readonly signature: string;
  /** RFC 7638 thumbprint. */
  readonly signed_by: string;
};

/** Signs release files, so an updater can verify that they come from this store. */
export interface ArtifactSigner {
  /**
   * Signs with the key in use, or with the one that `kid` names. Equal bytes and keys have equal signatures. Throws
   * where the key is missing or can't sign any more.
   */
  sign(bytes: Uint8Array, kid?: string): Promise<FileSignature>;
  /** True for the id of a key that can sign: the one in use, and the next one. */
  canSign(kid: string): Promise<boolean>;
  /** The id of the key that made the signature (base64) of the bytes; undefined if none of the store's keys did. */
  signerOf(bytes: Uint8Array, signature: string): Promise<string | undefined>;
  /** The 32 bytes of the public key in use, base64, as Sparkle's `SUPublicEDKey`. */
  publicKey(): Promise<string>;
}
