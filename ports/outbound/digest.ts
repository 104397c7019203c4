export interface Digest {
  /** SHA-256 of the text's UTF-8, lower-case hex. */
  sha256(text: string): string;
}
