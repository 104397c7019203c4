import type { KeyUse } from '../../domain/signing/key-use.ts';
import type { PrivateKey, PublicJwk, SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';

export interface SigningKeys {
  /** Every key; empty if none was ever created. It may be as old as `SigningKeyRings.keptFor`, at most a minute. */
  current(): Promise<SigningKeyRing>;
}

/** The ring as read; `version` is null if there was none. */
export type ReadSigningKeyRing = { readonly ring: SigningKeyRing; readonly version: string | null };

/** Stores the signing keys of one use, for the operator's tools. */
export interface SigningKeyRings {
  /** Milliseconds for which requests may cache a ring, at most 60,000. */
  readonly keptFor: number;
  /**
   * Reads the ring. Throws if the location has other content or is readable by others; the message never quotes the
   * content. Creates the first key if there is none and the use allows it. With `brings`, an operator imports a key: a
   * location without keys then counts as empty, even if its keys were lost.
   */
  read(options?: { readonly brings: boolean }): Promise<ReadSigningKeyRing>;
  /**
   * Writes the ring atomically. Returns false and writes nothing if it has changed since the read. Writing leaves no
   * earlier ring behind, because it may contain the private part of a key that must no longer sign.
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
   * payload is the document as RFC 8785 JSON. Equal documents and keys give equal signatures.
   */
  sign(key: PrivateKey, document: object): string;
}

/**
 * Signs license decisions and other texts that this service must verify later. Its keys can change at any time: await
 * `fresh` before the other methods.
 */
export interface LicenseSigner {
  /**
   * Undefined while the cached keys are fresh enough, so that a request need not wait. Otherwise a promise that settles
   * when they have been read again. It rejects only if no keys were ever read.
   */
  fresh(): Promise<void> | undefined;
  /** A compact JWS (RFC 7515; EdDSA over Ed25519, RFC 8037) of the claims, with `typ` and `kid` in its header. */
  sign(typ: string, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a text that one of the keys signed for this `typ`; undefined for any other text. */
  verify(typ: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** The public keys that verify the signatures, including those of earlier keys and of the next one. */
  publicJwks(): readonly PublicJwk[];
}

/** The maximum number of bytes that one call can sign: 2 GiB less one. */
export const MAX_SIGNED_BYTES = 2 ** 31 - 1;

/** The signature of a file, and the id of the key that made it. */
export type FileSignature = {
  /** Ed25519 (RFC 8032), base64, as Sparkle's `edSignature`. */
  readonly signature: string;
  /** RFC 7638 thumbprint. */
  readonly signed_by: string;
};

/** Signs release files, so that an updater can verify that they come from this store. */
export interface ArtifactSigner {
  /**
   * Signs with the current key, or with the one that `kid` names. Equal bytes and keys give equal signatures. Throws if
   * the key is missing or can no longer sign.
   */
  sign(bytes: Uint8Array, kid?: string): Promise<FileSignature>;
  /** True for the id of a key that can sign: the current one and the next one. */
  canSign(kid: string): Promise<boolean>;
  /** The id of the key that made the signature (base64) of the bytes; undefined if none of the store's keys did. */
  signerOf(bytes: Uint8Array, signature: string): Promise<string | undefined>;
  /** The current public key's 32 bytes, base64, as in Sparkle's `SUPublicEDKey`. */
  publicKey(): Promise<string>;
}
