/** The uses of signing keys, each with its own ring. */
export const KEY_USES = ['policy', 'license', 'artifact'] as const;

export type KeyUse = (typeof KEY_USES)[number];

export const SIGNED: Readonly<Record<KeyUse, string>> = {
  policy: 'the client policy',
  license: 'license tokens',
  artifact: 'files of releases',
};

/**
 * Milliseconds for which a key must be listed before it signs. Verifiers cache the list of public keys for five
 * minutes, and instances cache the ring for one. The file key is not listed: applications contain it, so only their
 * vendor knows when the next one may sign.
 */
export const LISTED_FOR_MS: Readonly<Record<KeyUse, number>> = {
  policy: 10 * 60_000,
  license: 10 * 60_000,
  artifact: 0,
};

/**
 * Milliseconds from the activation of a key to its first signature, if instances cache the ring for `keptFor`: twice as
 * long, so every instance knows that time before it comes, and none still signs with the old key. The file key signs in
 * one process, which reads the ring each time.
 */
export const handoverMs = (use: KeyUse, keptFor: number): number => (use === 'artifact' ? 0 : 2 * keptFor);
