import type { PolicyKeyRing, PrivateKey } from '../../domain/policy/key-ring.ts';

/** The keys of the client policy, as requests see them. */
export interface PolicyKeys {
  /** Every key; empty where none was ever made. May be as old as `KeyRings.keptFor` allows, at most a minute. */
  current(): Promise<PolicyKeyRing>;
}

/** The ring as it was read; `version` is null where there was none. */
export type ReadKeyRing = { readonly ring: PolicyKeyRing; readonly version: string | null };

/** Where the keys are kept, for the operator's tools. */
export interface KeyRings {
  /** Milliseconds for which requests may keep what was read, at most 60,000. */
  readonly keptFor: number;
  /** Throws where what is kept there is no ring, or where others may read it; the message never tells what it is. */
  read(): Promise<ReadKeyRing>;
  /**
   * Writes the ring whole or not at all; false where it has changed since it was read. Where it has written, it leaves
   * no ring from before behind, for that may hold the private part of a key that is to sign no more.
   */
  save(ring: PolicyKeyRing, read: ReadKeyRing): Promise<boolean>;
}

/** Makes signing keys and signs with them. */
export interface PolicySigner {
  /** A new Ed25519 key under its RFC 7638 thumbprint. */
  newKey(): Pick<PrivateKey, 'kid' | 'x' | 'd'>;
  /**
   * A compact JWS (RFC 7515, EdDSA over Ed25519, RFC 8037) whose header has `kid` and `typ: client-policy+jws`, and
   * whose payload is the document as RFC 8785 JSON. The same document and key give the same text.
   */
  sign(key: PrivateKey, document: object): string;
}
