/** The object store's key for an artifact or asset, from its sha256 (lower-case hex). */
export const objectKeyOf = (sha256: string): string => `sha256/${sha256}`;
