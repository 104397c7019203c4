/** Where the bytes of an artifact or asset lie in the object store: under what they are. */
export const objectKeyOf = (sha256: string): string => `sha256/${sha256}`;
