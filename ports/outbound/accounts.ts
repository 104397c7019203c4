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
  /** At most `limit` accounts whose canonical addresses begin with a text, in the order of the addresses. */
  beginningWith(text: string, limit: number): Promise<readonly Account[]>;
  /** The tombstone of an account that was erased, or whose erasure has begun; undefined for any other. */
  erasure(id: number): Promise<Erasure | undefined>;
  /**
   * Adds or replaces the account. If another account has the address, the result is `email_taken`; if the account was
   * erased, it is `erased`. In both cases nothing is written.
   */
  save(permit: Permit, account: Account): Promise<'created' | 'updated' | 'unchanged' | 'email_taken' | 'erased'>;
  /** Any account of the store; undefined if the store has none. */
  any(): Promise<Account | undefined>;
  /**
   * Replaces the account that was read, with messages. If it has changed since, the result is `changed`; if another
   * account has the address, it is `email_taken`. In both cases nothing is written.
   */
  revise(permit: Permit, read: Account, after: Account, messages: NewMessages): Promise<Revised>;
  /**
   * The accounts with an id above `after`, in ascending order, or with an id below it, newest first. Memory holds a few
   * pages at a time.
   */
  list(after?: number, newestFirst?: boolean): AsyncIterable<Account>;
}

export interface Passwords {
  /** The encoded hash to store (scrypt, RFC 7914), with its own salt and cost. */
  hash(password: string): Promise<string>;
  /**
   * True if the password has this hash. Null yields false after the same time as a hash, so the response time doesn't
   * reveal whether an account with a password exists.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Erases accounts, whose records are spread over the store. */
export interface AccountErasures {
  /**
   * Removes the account itself and marks it as erased in one transaction. Returns false and writes nothing if it has
   * changed since the read, or it or its heir is a member of the shop. From then on nobody can sign in, and no key, session, link, application, or account with
   * its number is created, not even by a request in progress. No worker takes it before `freeAt`. With an heir
   * it is a merge: the address leads to the heir, and the sweep first moves the records there.
   */
  begin(permit: Permit, account: Account, freeAt: Instant, heir?: Account): Promise<boolean>;
  /** Explains to the operator why an account can't be merged into another; null if it can. */
  unmergeable(account: Account, heir: Account): Promise<string | null>;
  /** Removes the keys, passkeys, browsers and applications of an account whose erasure has begun. */
  close(permit: Permit, account_id: number): Promise<void>;
  /**
   * Counts the records that an erasure would delete and keep; `own` covers only the account's own partition and
   * tickets.
   */
  survey(account_id: number, of?: 'all' | 'own'): Promise<ErasureCounts>;
  /**
   * Deletes everything that must go, and records the end in the tombstone. An interrupted sweep continues where it
   * stopped.
   */
  sweep(permit: Permit, account_id: number): Promise<ErasureCounts>;
  /** Moves the partition of an account whose merge has begun to its heir. A sweep must move the rest. */
  moveOwn(permit: Permit, account_id: number): Promise<void>;
  /** The unfinished erasures, by account; at most `limit`. */
  unfinished(limit: number): Promise<UnfinishedErasure[]>;
  /**
   * Continues the scan that erases all accounts whose erasure was waiting at its start, and returns the erased ones;
   * none if another worker has the scan. `goOn` is called after each page. If it returns false, or this process dies,
   * the next call continues the scan.
   */
  complete(permit: Permit, goOn: (walk: ErasureWalk) => boolean): Promise<number[]>;
  /** The current scan. */
  walk(): Promise<ErasureWalk | undefined>;
}

/** The account's known browsers and sessions are served before strangers. */
export type TurnLane = 'known' | 'stranger';

/** The queue for password hashing, which costs much memory and time and can be triggered by anybody. */
export interface PasswordTurns {
  /**
   * Runs the task in turn. If the queue is full, it is refused as `busy` without running; the refusal's `retry_after`
   * is in seconds.
   */
  take<T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>>;
}
