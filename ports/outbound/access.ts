import type { ApiKey, ScopeKeys } from '../../domain/access/api-key.ts';
import type { Member, MemberChange, SetupOffer } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { AgentToken } from '../../domain/access/principal.ts';
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
  scope(account_id: number, product_id: number | null): Promise<ReadScopeKeys>;
  /** The keys of each of the account's scopes that has any. */
  scopes(account_id: number): Promise<ReadScopeKeys[]>;
  /** The keys of the scope that a key belongs to; undefined if there is no such key. */
  scopeOf(key_id: number): Promise<ReadScopeKeys | undefined>;
  /** The keys with this visible prefix, except those made by a version before prefixes were indexed. */
  withPrefix(prefix: string): Promise<readonly ApiKey[]>;
  /**
   * Adds and revokes keys, with messages, in one transaction. Returns false and writes nothing if the scope has changed
   * since the read.
   */
  change(
    permit: Permit,
    scope: ReadScopeKeys,
    change: { add?: ApiKey; revoke?: readonly ApiKey[]; messages?: NewMessages },
    now: Instant,
  ): Promise<boolean>;
  /**
   * Updates the account's suspension and limit in the keys of a scope, where requests read them. Returns false and
   * writes nothing if the scope or the account has changed since the read. Keys that `change` adds have them from the
   * start.
   */
  follow(permit: Permit, scope: ReadScopeKeys): Promise<boolean>;
  /** Records `now` as the key's last use. It needs no permit, because the caller is identified before every guard. */
  touch(key: ApiKey, now: Instant): Promise<void>;
}

export interface KeySecrets {
  /** A new key value with its hash and visible prefix. */
  mint(): { readonly value: string; readonly hash: string; readonly prefix: string };
  /** The hash of a well-formed key value; undefined for any other text, which is refused without a look-up. */
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
}
