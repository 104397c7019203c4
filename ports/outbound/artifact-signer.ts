/** The most that can be signed in one piece, in bytes: 2 GiB less one. */
export const MAX_SIGNED_BYTES = 2 ** 31 - 1;

/** Signs the files of releases, so that an updater can tell that they come from this store. */
export interface ArtifactSigner {
  /** Ed25519 (RFC 8032) over the bytes, base64, as Sparkle's `edSignature`. The same bytes have the same signature. */
  sign(bytes: Uint8Array): string;
  /** What verifies: the 32 bytes of the public key, base64, as Sparkle's `SUPublicEDKey`. */
  publicKey(): string;
}
