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
   * Writes an account over the one that was read, with messages. `changed`: it has changed since. `email_taken`: another
   * account has the address. Then nothing was written.
   */
  revise(permit: Permit, read: Account, after: Account, messages: NewMessages): Promise<Revised>;
  /** The accounts with an id above `after`, by ascending id. A few pages of them are in memory at a time. */
  list(after?: number): AsyncIterable<Account>;
}

export interface Passwords {
  /** The encoded hash to store (scrypt, RFC 7914, with its own salt and cost). */
  hash(password: string): Promise<string>;
  /**
   * True if the password has this hash. Null stands for no hash: that takes as long as a usual one and is false, so
   * that the time of an answer does not tell whether there is an account with a password.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** The erasure of accounts, whose records lie all over the store. */
export interface AccountErasures {
  /**
   * Removes the account itself and marks it as erased, in one step; false, with nothing written, where it has changed
   * since it was read. From then on nobody signs in to it, and no key, session, link, application, or account with its
   * number is made, not even by a request that is under way. No worker takes the erasure before `freeAt`. With an heir
   * it is a merge: the address leads there, and the sweep moves the records there first.
   */
  begin(permit: Permit, account: Account, freeAt: Instant, heir?: Account): Promise<boolean>;
  /** The reason, for an operator, for which an account can't be merged into another; null for none. */
  unmergeable(account: Account, heir: Account): Promise<string | null>;
  /** Removes the ways into an account whose erasure has begun: keys, passkeys, browsers and applications. */
  close(permit: Permit, account_id: number): Promise<void>;
  /** Counts what an erasure would remove and leave; `own`: only what its partition and its tickets tell. */
  survey(account_id: number, of?: 'all' | 'own'): Promise<ErasureCounts>;
  /** Removes all that goes, and notes the end in the mark. A sweep that broke off goes on where it was. */
  sweep(permit: Permit, account_id: number): Promise<ErasureCounts>;
  /** The erasures that have begun and not ended, by account; at most `limit`. */
  unfinished(limit: number): Promise<UnfinishedErasure[]>;
  /**
   * Goes on with the walk that erases all accounts whose erasure waited at its beginning, and gives those that are
   * erased now; none where another worker has it. `goOn` is asked after each page. Where it answers false, or this
   * process ends, the walk goes on from there at the next call.
   */
  complete(permit: Permit, goOn: (walk: ErasureWalk) => boolean): Promise<number[]>;
  /** The walk that is under way. */
  walk(): Promise<ErasureWalk | undefined>;
}

/** A browser or a session that the account knows goes before strangers. */
export type TurnLane = 'known' | 'stranger';

/** The turns of work on passwords, which costs much memory and time, at the wish of people and of whoever guesses. */
export interface PasswordTurns {
  /**
   * Runs the task when it is its turn. `busy`, without having run it, where as many wait as can; the refusal's
   * `retry_after` is in seconds.
   */
  take<T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>>;
}
