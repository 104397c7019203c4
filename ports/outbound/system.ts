import type { Instant } from '../../domain/shared/instant.ts';

export interface Clock {
  now(): Instant;
}

/** The finding of one check of the shop: a line with the present state, a fault and its remedy, or the next step. */
export type Finding = {
  readonly check: string;
  /** `next`: a step that a new shop has not taken yet. */
  readonly kind: 'fine' | 'next' | 'wrong';
  readonly message: string;
};

/** Examines the shop as far as this process can see, in bounded time; an answer is at most a minute old. */
export type ShopExamination = () => Promise<readonly Finding[]>;

export interface Pauses {
  /** Waits for a short random time, whose average grows with the attempt's number (from 1). */
  before(attempt: number): Promise<void>;
  /** Waits until the moment by the clock of this machine. */
  until(moment: Instant): Promise<void>;
}

export interface Ids {
  /**
   * A new integer id below 2^53. It is unique without a call to the store; later ids are larger, to the millisecond.
   */
  next(): number;
}

/** Random values that can't be guessed. Each is shown once and stored as a hash. */
export interface Secrets {
  /** 32 random bytes, base64url (43 characters). */
  value(): string;
  /** A string of this many letters, each equally likely. */
  letters(alphabet: string, length: number): string;
}

export interface Digest {
  /** SHA-256 of the text's UTF-8, lower-case hex. */
  sha256(text: string): string;
}
