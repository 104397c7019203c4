/** The most bytes that one call can sign: 2 GiB less one. */
export const MAX_SIGNED_BYTES = 2 ** 31 - 1;

/** The signature of a file, and the id of the key that made it. */
export type FileSignature = {
  /** Ed25519 (RFC 8032), base64, as Sparkle's `edSignature`. */
  readonly signature: string;
  /** RFC 7638 thumbprint. */
  readonly signed_by: string;
};

/** Signs the files of releases, so that an updater can verify that they come from this store. */
export interface ArtifactSigner {
  /**
   * Signs with the key in use, or with the one that `kid` names. Equal bytes and keys have equal signatures. Throws
   * where the key is missing or can't sign any more.
   */
  sign(bytes: Uint8Array, kid?: string): Promise<FileSignature>;
  /** True for the id of a key that can sign: the one in use, and the next one. */
  canSign(kid: string): Promise<boolean>;
  /** The id of the key that made the signature (base64) of the bytes; undefined where none of the store's keys did. */
  signerOf(bytes: Uint8Array, signature: string): Promise<string | undefined>;
  /** The 32 bytes of the public key in use, base64, as Sparkle's `SUPublicEDKey`. */
  publicKey(): Promise<string>;
}
