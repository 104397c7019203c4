/** The most bytes that one call can sign: 2 GiB less one. */
export const MAX_SIGNED_BYTES = 2 ** 31 - 1;

/** Signs the files of releases, so that an updater can verify that they come from this store. */
export interface ArtifactSigner {
  /**
   * The Ed25519 signature (RFC 8032) of the bytes, base64, as Sparkle's `edSignature`. Equal bytes have equal
   * signatures.
   */
  sign(bytes: Uint8Array): string;
  /** True for a signature (base64) of the bytes by the same key. Any other text is none. */
  verify(bytes: Uint8Array, signature: string): boolean;
  /** The 32 bytes of the public key, base64, as Sparkle's `SUPublicEDKey`. */
  publicKey(): string;
}
