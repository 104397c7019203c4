import type { ApiKey, ScopeKeys } from '../../domain/access/api-key.ts';
import type { Member, MemberChange, SetupOffer } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { AgentToken } from '../../domain/access/principal.ts';
import type { ClaimRecords, KeyBatch, KeyClaim, UnclaimedKey } from '../../domain/licensing/key-batch.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/**
 * The keys of a scope as read; `version` is null if the scope has none. `change` writes only if the version is
 * unchanged.
 */
export type ReadScopeKeys = ScopeKeys & { readonly version: string | null };

export interface ApiKeys {
  /**
   * The key with this hash unless it was revoked. Strongly consistent: a revocation takes effect with the next call.
   */
  find(hash: string): Promise<ApiKey | undefined>;
  /** Like `find`, or the key of a batch that nobody used yet; in one read. */
  findEither(hash: string): Promise<ApiKey | UnclaimedKey | undefined>;
  scope(account_id: number, product_id: number | null): Promise<ReadScopeKeys>;
  /** The encrypted value of a key; undefined if the store keeps none. */
  sealed(key: ApiKey): Promise<string | undefined>;
  /** The keys of each of the account's scopes that has any. */
  scopes(account_id: number): Promise<ReadScopeKeys[]>;
  /** The keys of the scope that a key belongs to; undefined if there is no such key. */
  scopeOf(key_id: number): Promise<ReadScopeKeys | undefined>;
  /** The keys with this visible prefix, except those made by a version before prefixes were indexed. */
  withPrefix(prefix: string): Promise<readonly ApiKey[]>;
  /**
   * Adds and revokes keys, with messages, in one transaction. `sealed` is the encrypted value of the added key, if its
   * owner may see it again; it goes with the key. Returns false and writes nothing if the scope has changed
   * since the read.
   */
  change(
    permit: Permit,
    scope: ReadScopeKeys,
    change: { add?: ApiKey; sealed?: string; revoke?: readonly ApiKey[]; messages?: NewMessages },
    now: Instant,
  ): Promise<boolean>;
  /**
   * Writes the first use of a key of a batch, with its license and perhaps its account, in one transaction. Returns
   * false and writes nothing if the key was used or revoked, or the scope or the account has changed since the read.
   */
  claim(permit: Permit, scope: ReadScopeKeys, records: ClaimRecords): Promise<boolean>;
  /**
   * Updates the account's suspension and limit in the keys of a scope, where requests read them. Returns false and
   * writes nothing if the scope or the account has changed since the read. Keys that `change` adds have them from the
   * start.
   */
  follow(permit: Permit, scope: ReadScopeKeys): Promise<boolean>;
  /** Records `now` as the key's last use. It needs no permit, because the caller is identified before every guard. */
  touch(key: ApiKey, now: Instant): Promise<void>;
}

/** Batches of license keys that were made in advance. */
export interface KeyBatches {
  get(id: number): Promise<KeyBatch | undefined>;
  /** The newest batches first: at most `limit`, before the id `before`. */
  list(limit: number, before: number | null): Promise<KeyBatch[]>;
  /** The first uses of a batch's keys, by key. */
  claims(id: number): Promise<KeyClaim[]>;
  /** The keys of a batch that nobody has used yet. */
  unclaimed(id: number): Promise<UnclaimedKey[]>;
  /**
   * Adds keys to a batch, which the first ones create. At most `KEYS_AT_ONCE`, in one transaction. `batch` has the
   * number of its keys before them. Returns false and writes nothing if it was revoked or has another number by now.
   */
  add(permit: Permit, batch: KeyBatch, keys: readonly UnclaimedKey[]): Promise<boolean>;
  /**
   * Deletes the last keys of a batch until `kept` are left. Returns false if one of them is in use, or the batch has
   * changed meanwhile. An interrupted call can be repeated.
   */
  dropLast(permit: Permit, batch: KeyBatch, kept: number): Promise<boolean>;
  /** Revokes the batch; its unused keys can't be claimed any more. Returns false if it has changed meanwhile. */
  revoke(permit: Permit, batch: KeyBatch, now: Instant): Promise<boolean>;
  /** Revokes an unused key. Returns false and writes nothing if it was used or revoked meanwhile. */
  revokeUnclaimed(permit: Permit, key: UnclaimedKey, now: Instant): Promise<boolean>;
  /** Marks a first use as revoked. */
  revokeClaim(permit: Permit, batch_id: number, claim: KeyClaim, now: Instant): Promise<void>;
}

/** The maximum number of keys that one call adds to a batch. */
export const KEYS_AT_ONCE = 90;

export interface KeySecrets {
  /** A new key value with its hash and visible prefix. */
  mint(): { readonly value: string; readonly hash: string; readonly prefix: string };
  /** The hash of a well-formed key value; undefined for any other text, which is refused without a lookup. */
  hash(value: string): string | undefined;
}

export interface AgentTokens {
  /** The live token with this hash. Strongly consistent: a revocation takes effect with the next call. */
  find(hash: string): Promise<AgentToken | undefined>;
  add(permit: Permit, token: AgentToken): Promise<void>;
  /** Every live token, by id. */
  list(): Promise<AgentToken[]>;
  /** Revokes a token; false if there is none with this id. */
  revoke(permit: Permit, id: number): Promise<boolean>;
}

/** The members as read, by account; `version` is null before the first one. */
export type ReadMembers = { readonly members: readonly Member[]; readonly version: string | null };

/** The people who run the shop. They are read together, so that each change sees who is left. */
export interface Members {
  /** Strongly consistent: the end of a membership takes effect with the next request. */
  read(): Promise<ReadMembers>;
  /**
   * Adds, changes or removes one member. Returns false and writes nothing if any member has changed since the read, or
   * the account was erased.
   */
  change(permit: Permit, read: ReadMembers, change: MemberChange): Promise<boolean>;
  /** The offer to become the first member, used or not; undefined if there was none. */
  setup(): Promise<SetupOffer | undefined>;
  /** Replaces the offer. */
  offerSetup(permit: Permit, offer: SetupOffer): Promise<void>;
  /** Claims the offer for one browser unless another has it, and says whether it did; at null, ends the claim. */
  claimSetup(permit: Permit, at: Instant | null): Promise<boolean>;
}
