/** Random values that nobody can guess. Each is shown once and kept as a hash. */
export interface Secrets {
  /** 32 random bytes, base64url (43 characters). */
  value(): string;
  /** A text of this many letters, each equally likely. */
  letters(alphabet: string, length: number): string;
}
