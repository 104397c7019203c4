import { createPublicKey, verify } from 'node:crypto';

/** An installed copy of an application, or the application in an update. */
export type AppCopy = {
  /** Its `SUPublicEDKey`. */
  readonly embeds: string;
  /** The identity of its Apple code signature; null for an application without one. */
  readonly apple: string | null;
};

/** A downloaded update: an archive of an application, or a patch or package, which Sparkle has not opened yet. */
export type Update = AppCopy & { readonly bytes: Uint8Array; readonly signature: string; readonly archive: boolean };

const signedBy = (key: string, { bytes, signature }: Update): boolean => {
  const x = Buffer.from(key, 'base64').toString('base64url');
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, bytes, publicKey, Buffer.from(signature, 'base64'));
};

/**
 * True if Sparkle 2 lets a copy install an update, as its SUUpdateValidator decides. A patch or a package must verify
 * with the key of the copy. An archive may verify with its own new key instead, if Apple's certificate is the same.
 */
export const accepts = (copy: AppCopy, update: Update): boolean => {
  if (signedBy(copy.embeds, update)) return true;
  const rotates = update.archive && copy.apple !== null && copy.apple === update.apple;
  return rotates && signedBy(update.embeds, update);
};
