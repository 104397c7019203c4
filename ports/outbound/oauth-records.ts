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
  /** The grant on which the record depends; null if there is none. */
  readonly grant_id: string | null;
  readonly expires_at: Instant;
  /** The first use of a code or refresh token. */
  readonly consumed_at: Instant | null;
  /** The number of uses of a refresh token after the first one; absent if there were none. */
  readonly reuses?: number;
};

export type NamedOAuthRecord = OAuthName & { readonly record: OAuthRecord };

/** A record as read. Conditional writes succeed only on this version. */
export type ReadOAuthRecord = { readonly record: OAuthRecord; readonly version: string };

/** A grant as read, which is the connected app that the account's owner sees. */
export type ReadGrant = { readonly app: ConnectedApp; readonly version: string };

/** The writes of one token response. They are atomic. */
export type Issue = {
  readonly tokens: readonly NamedOAuthRecord[];
  /** The used code or refresh token as read, and the record after its use. */
  readonly consume?: (OAuthName & { readonly read: ReadOAuthRecord; readonly used: OAuthRecord }) | undefined;
  /** If present, records this use of the grant, which restarts its idle period. */
  readonly used_at?: Instant | undefined;
};

/** The decision of an account's owner on a consent request. It replaces an earlier one. */
export type ConsentDecision = {
  /** The request as read, and the record that replaces it. */
  readonly interaction: OAuthName & { readonly read: ReadOAuthRecord };
  readonly payload: OAuthRecord['payload'];
  /** The approved application; absent if the request was denied. */
  readonly app?: ConnectedApp | undefined;
  /** The application that an earlier decision on the same request approved. */
  readonly former?: ConnectedApp | undefined;
};

/**
 * The authorization server's records. Reads are strongly consistent. An application signs in before every guard, so only
 * the grant itself, which the account's owner approves, needs a permit.
 */
export interface OAuthRecords {
  /** The record, which may have expired. */
  find(name: OAuthName): Promise<ReadOAuthRecord | undefined>;
  /** Adds or replaces a record that belongs to no grant. */
  save(name: OAuthName, record: OAuthRecord): Promise<void>;
  /** Changes the expiry of a record that belongs to no grant; does nothing if it is absent or changes meanwhile. */
  extend(name: OAuthName, expiresAt: Instant): Promise<void>;
  remove(name: OAuthName): Promise<void>;

  /** The grant, unless it was ended or its account is suspended; it may have expired. */
  grant(grantId: string): Promise<ReadGrant | undefined>;
  /** Makes all writes in one transaction. Returns false and writes nothing if the request has changed or ended. */
  decide(permit: Permit, decided: ConsentDecision): Promise<boolean>;
  /** Makes all writes in one transaction. Returns false and writes nothing if the grant or the record has changed. */
  issue(grant: ReadGrant, writes: Issue): Promise<boolean>;
  /** Ends the grant, so that nothing more is issued for it, and then each of its codes and tokens. */
  endGrant(grantId: string): Promise<void>;
  /** True if an account has approved the client and its grant has not ended. */
  hasGrantOf(clientId: string): Promise<boolean>;
  endGrantsOf(clientId: string): Promise<void>;
}
