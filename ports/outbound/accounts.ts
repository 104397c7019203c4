import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { Erasure } from '../../domain/accounts/erasure.ts';

export interface Accounts {
  get(id: number): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** The mark of an account that was erased, or whose erasure has begun; undefined for any other. */
  erasure(id: number): Promise<Erasure | undefined>;
  /**
   * Adds or replaces the account. `email_taken`: another account has the address; `erased`: the account was erased.
   * Then nothing was written.
   */
  save(permit: Permit, account: Account): Promise<'created' | 'updated' | 'unchanged' | 'email_taken' | 'erased'>;
  /** An account of the store, whichever is found first; undefined for a store without accounts. */
  any(): Promise<Account | undefined>;
  /**
   * Writes an account over the one that was read. `changed`: it has changed since, and nothing was written.
   * `email_taken`: another account has the address, and nothing was written.
   */
  revise(permit: Permit, read: Account, after: Account): Promise<'updated' | 'changed' | 'email_taken'>;
  /** Every account, by ascending id. */
  list(): AsyncIterable<Account>;
}

export interface Passwords {
  /** The encoded hash to store (scrypt, RFC 7914, with its own salt and cost). */
  hash(password: string): Promise<string>;
  /**
   * True where the password has this hash. Null stands for no hash: that takes as long as a usual one and is false, so
   * that the time of an answer does not tell whether there is an account with a password.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
}
