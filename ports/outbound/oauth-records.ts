import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ConnectedApp } from '../../domain/sign-in/oauth-grant.ts';

/** The records of the authorization server. Codes and tokens belong to a grant and end with it. */
export type OAuthKind =
  | 'client'
  | 'registration_token'
  | 'interaction'
  | 'authorization_code'
  | 'access_token'
  | 'refresh_token';

/** A record is found by the SHA-256 of its id (lower-case hex). The id itself is not stored. */
export type OAuthName = { readonly kind: OAuthKind; readonly hash: string };

export type OAuthRecord = {
  /** Fields that only the authorization server reads, without the record's id. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The grant that the record ends with; null if it has none. */
  readonly grant_id: string | null;
  readonly expires_at: Instant;
  /** The first use of a code or refresh token. */
  readonly consumed_at: Instant | null;
  /** How often a refresh token was used after its first use; absent if it never was. */
  readonly reuses?: number;
};

export type NamedOAuthRecord = OAuthName & { readonly record: OAuthRecord };

/** A record as it was read. Conditional writes succeed only on this version. */
export type ReadOAuthRecord = { readonly record: OAuthRecord; readonly version: string };

/** A grant as it was read; it is the connected app that the account's owner sees. */
export type ReadGrant = { readonly app: ConnectedApp; readonly version: string };

/** The writes of one token response, made atomically. */
export type Issue = {
  readonly tokens: readonly NamedOAuthRecord[];
  /** The code or refresh token that is used, as it was read, and the record after its use. */
  readonly consume?: (OAuthName & { readonly read: ReadOAuthRecord; readonly used: OAuthRecord }) | undefined;
  /** Set to record this use of the grant, which restarts its idle days. */
  readonly used_at?: Instant | undefined;
};

/** The answer of an account's owner to a request for consent. It replaces an earlier one. */
export type ConsentDecision = {
  /** The request as it was read, and its new members. */
  readonly interaction: OAuthName & { readonly read: ReadOAuthRecord };
  readonly payload: OAuthRecord['payload'];
  /** The application that was approved; absent if it was denied. */
  readonly app?: ConnectedApp | undefined;
  /** The application that an earlier answer to the same request approved. */
  readonly former?: ConnectedApp | undefined;
};

/**
 * The authorization server's records. Reads are strongly consistent. Signing an application in comes before every gate,
 * so only the grant itself, which the account's owner approves, needs a permit.
 */
export interface OAuthRecords {
  /** The record, which may have expired. */
  find(name: OAuthName): Promise<ReadOAuthRecord | undefined>;
  /** Adds or replaces a record that belongs to no grant. */
  save(name: OAuthName, record: OAuthRecord): Promise<void>;
  /** Moves the end of a record that belongs to no grant; does nothing if it is absent or changes meanwhile. */
  extend(name: OAuthName, expiresAt: Instant): Promise<void>;
  remove(name: OAuthName): Promise<void>;

  /** The grant unless it was ended or its account is suspended; it may have expired. */
  grant(grantId: string): Promise<ReadGrant | undefined>;
  /** Makes all of the writes in one step; false, with nothing written, if the request has changed or ended. */
  decide(permit: Permit, decided: ConsentDecision): Promise<boolean>;
  /** Makes all of the writes in one step; false, with nothing written, if the grant or the record has changed. */
  issue(grant: ReadGrant, writes: Issue): Promise<boolean>;
  /** Ends the grant, so nothing more is issued for it, and then each of its codes and tokens. */
  endGrant(grantId: string): Promise<void>;
  /** True if an account has approved the client and not ended its grant. */
  hasGrantOf(clientId: string): Promise<boolean>;
  endGrantsOf(clientId: string): Promise<void>;
}
