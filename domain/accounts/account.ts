import type { Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';

/** A buyer. The e-mail address is unique, whatever the case of its ASCII letters. */
export type Account = {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: Instant;
  /** The language of messages; absent where the store knows none. */
  readonly locale?: Locale | undefined;
  /** Encoded scrypt hash; null where the account has no password yet. */
  readonly password_hash: string | null;
  /** The moment since which no key, session or token of the account works; absent where they do. */
  readonly suspended_at?: Instant | undefined;
};

/**
 * The form under which an e-mail address is unique. Only ASCII letters lose their case: Unicode's rules make `k` of the
 * Kelvin sign (U+212A) too, so that another person's address would lead to the account.
 */
export const normalizedEmail = (email: string): string =>
  email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
