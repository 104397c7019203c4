import type { Account } from '../../domain/accounts/account.ts';

export interface Accounts {
  get(id: number): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** Adds or replaces; `email_taken` where another account has the address. */
  save(account: Account): Promise<'created' | 'updated' | 'unchanged' | 'email_taken'>;
  /** All accounts, by id. */
  list(): AsyncIterable<Account>;
}

export interface Passwords {
  /** The encoded hash to keep (scrypt, with its own salt and cost). */
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}
