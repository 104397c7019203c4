import type { KeyUse } from '../../domain/signing/key-use.ts';
import type { PrivateKey, SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';

/** The signing keys of one use, for requests. */
export interface SigningKeys {
  /** Every key; empty where none was ever made. It can be as old as `SigningKeyRings.keptFor`, at most a minute. */
  current(): Promise<SigningKeyRing>;
}

/** The ring as it was read; `version` is null where there was none. */
export type ReadSigningKeyRing = { readonly ring: SigningKeyRing; readonly version: string | null };

/** The place of the signing keys of one use, for the operator's tools. */
export interface SigningKeyRings {
  /** Milliseconds for which requests may keep a ring that they read, at most 60,000. */
  readonly keptFor: number;
  /**
   * Throws where the place holds anything but a ring, or where others may read it. The message never quotes the
   * content.
   */
  read(): Promise<ReadSigningKeyRing>;
  /**
   * Writes the ring whole or not at all; false, with nothing written, where it has changed since it was read. A written
   * ring leaves no earlier one behind, because that can hold the private part of a key that must not sign any more.
   */
  save(ring: SigningKeyRing, read: ReadSigningKeyRing): Promise<boolean>;
}

/** The places of all signing keys, by their use. */
export type KeyRings = Readonly<Record<KeyUse, SigningKeyRings>>;

/** Makes signing keys. */
export interface SigningKeyMaker {
  /** A new Ed25519 key (RFC 8037), named by its RFC 7638 thumbprint. */
  newKey(): Pick<PrivateKey, 'kid' | 'x' | 'd'>;
}

/** Signs the client policy. */
export interface PolicySigner {
  /**
   * A compact JWS (RFC 7515; EdDSA over Ed25519, RFC 8037). Its header has `kid` and `typ: client-policy+jws`, and its
   * payload is the document as RFC 8785 JSON. The same document and key give the same text.
   */
  sign(key: PrivateKey, document: object): string;
}
