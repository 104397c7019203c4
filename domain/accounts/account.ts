import type { Instant } from '../shared/instant.ts';

/** A buyer. The e-mail address is unique, whatever its case. */
export type Account = {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: Instant;
  /** Encoded scrypt hash; null where the account has no password yet. */
  readonly password_hash: string | null;
};

/** The form under which an e-mail address is unique. */
export const normalizedEmail = (email: string): string => email.trim().toLowerCase();
