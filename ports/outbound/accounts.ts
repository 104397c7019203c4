import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { Erasure, ErasureCounts, ErasureWalk, UnfinishedErasure } from '../../domain/accounts/erasure.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';

export type Revised = 'updated' | 'changed' | 'email_taken';

export interface Accounts {
  get(id: number): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  /** The tombstone of an account that was erased, or whose erasure has begun; undefined for any other. */
  erasure(id: number): Promise<Erasure | undefined>;
  /**
   * Adds or replaces the account. `email_taken`: another account has the address; `erased`: the account was erased.
   * Then nothing was written.
   */
  save(permit: Permit, account: Account): Promise<'created' | 'updated' | 'unchanged' | 'email_taken' | 'erased'>;
  /** Any account of the store; undefined if there is none. */
  any(): Promise<Account | undefined>;
  /**
   * Replaces the account that was read, with messages. `changed`: it has changed since. `email_taken`: another account
   * has the address. Then nothing was written.
   */
  revise(permit: Permit, read: Account, after: Account, messages: NewMessages): Promise<Revised>;
  /** The accounts with an id above `after`, by ascending id. A few pages of them are in memory at a time. */
  list(after?: number): AsyncIterable<Account>;
}

export interface Passwords {
  /** The encoded hash to store (scrypt, RFC 7914, with its own salt and cost). */
  hash(password: string): Promise<string>;
  /**
   * True if the password has this hash. With null, which is false, it takes as long as with a hash, so the response
   * time doesn't reveal whether there is an account with a password.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** The erasure of accounts, whose records are spread over the store. */
export interface AccountErasures {
  /**
   * Removes the account itself and marks it as erased, in one step; false, with nothing written, if it has changed
   * since it was read. From then on nobody can sign in, and no key, session, link, application, or account with its
   * number is created, not even by a request in flight. No worker takes the erasure before `freeAt`. With an heir it is
   * a merge: the address leads there, and the sweep moves the records there first.
   */
  begin(permit: Permit, account: Account, freeAt: Instant, heir?: Account): Promise<boolean>;
  /** Why an account can't be merged into another, for the operator; null if it can. */
  unmergeable(account: Account, heir: Account): Promise<string | null>;
  /** Removes the ways into an account whose erasure has begun: keys, passkeys, browsers and applications. */
  close(permit: Permit, account_id: number): Promise<void>;
  /** Counts what an erasure would delete and keep; `own`: only in its own partition and tickets. */
  survey(account_id: number, of?: 'all' | 'own'): Promise<ErasureCounts>;
  /**
   * Deletes everything that must go, and records the end in the tombstone. An interrupted sweep continues where it was.
   */
  sweep(permit: Permit, account_id: number): Promise<ErasureCounts>;
  /** The unfinished erasures, by account; at most `limit`. */
  unfinished(limit: number): Promise<UnfinishedErasure[]>;
  /**
   * Continues the scan that erases all accounts whose erasure was waiting at its start, and returns the erased ones;
   * none if another worker has it. `goOn` is called after each page. If it returns false, or this process ends, the
   * next call continues the scan.
   */
  complete(permit: Permit, goOn: (walk: ErasureWalk) => boolean): Promise<number[]>;
  /** The current scan. */
  walk(): Promise<ErasureWalk | undefined>;
}

/** A known browser or session of the account goes before strangers. */
export type TurnLane = 'known' | 'stranger';

/** The queue for password hashing, which costs much memory and time and can be triggered by anybody. */
export interface PasswordTurns {
  /**
   * Runs the task in turn. `busy`, without running it, if the queue is full; the refusal's `retry_after` is in seconds.
   */
  take<T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>>;
}
