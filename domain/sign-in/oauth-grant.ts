import { ABILITIES, type Ability } from '../access/abilities.ts';
import { compareText } from '../shared/compare-text.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';

/** Days without a refresh after which an application needs the owner's consent again. */
export const IDLE_DAYS = 30;

/**
 * Seconds for which a refresh token still works after its first use. Two processes of a client may refresh at the same
 * time, or an answer may get lost; neither is theft.
 */
export const REUSE_GRACE_SECONDS = 30;

/**
 * Further uses of a refresh token within the grace period, enough for many parallel processes of a client. A thief
 * can't get more live token pairs than that.
 */
const MOST_REUSES = 20;

/**
 * Token responses a day. A client needs one an hour, and each leaves records that live as long as its refresh token.
 */
export const TOKENS_A_DAY: DailyBound = { name: 'tokens', most: 1000, what: 'new tokens of a connected application' };

/** Days for which a registered client is stored: before any account approves it, and after its last use. */
export const UNUSED_CLIENT_DAYS = 1;
export const CLIENT_DAYS = 400;

/** The time at which a grant expires. Its last use is accurate to the day, so a day is added to the idle days. */
export const grantEnd = ({ last_used_at }: ConnectedApp): Instant => addDays(last_used_at, IDLE_DAYS + 1);

export const isLiveGrant = (app: ConnectedApp, now: Instant): boolean => !hasPassed(grantEnd(app), now);

/**
 * The maximum number of connected applications of an account. Each consent creates one, even for a client that has one.
 */
export const MOST_APPS = 50;

/** The live applications of an account beyond the maximum, longest unused first. */
export const appsToEnd = (apps: readonly ConnectedApp[]): ConnectedApp[] =>
  apps
    .toSorted((a, b) => compareText(a.last_used_at, b.last_used_at) || compareText(a.created_at, b.created_at))
    .slice(0, Math.max(0, apps.length - MOST_APPS));

/** True if the grant's last use is a day old, so a use is written at most once a day. */
export const isUseDue = ({ last_used_at }: ConnectedApp, now: Instant): boolean => addDays(last_used_at, 1) <= now;

/** True if a refresh token that was used at `consumed_at` may be used again. */
export const isWithinGrace = (consumedAt: Instant, now: Instant): boolean =>
  now < toInstant(millis(consumedAt) + REUSE_GRACE_SECONDS * 1000);

/** The uses of a code or a refresh token: the time of the first one, and the number of later ones. */
export type TokenUses = { readonly consumed_at: Instant | null; readonly reuses?: number };

/**
 * The code or refresh token after another use; undefined if it can no longer be used. A code is used once, and a
 * refresh token again within the grace period, up to a limit.
 */
export const usedAgain = <U extends TokenUses>(one: U, isRefreshToken: boolean, now: Instant): U | undefined => {
  const { consumed_at, reuses = 0 } = one;
  if (consumed_at === null) return { ...one, consumed_at: now };
  const isReusable = isRefreshToken && isWithinGrace(consumed_at, now) && reuses < MOST_REUSES;
  return isReusable ? { ...one, reuses: reuses + 1 } : undefined;
};

/** An application that the account's owner connected by OAuth. */
export type ConnectedApp = {
  /** The id of the grant. It is not a credential. */
  readonly grant_id: string;
  readonly account_id: number;
  readonly client_id: string;
  readonly client_name: string;
  /** The host of the client's redirect, such as `claude.ai` or `localhost`. */
  readonly redirect_host: string;
  readonly permissions: readonly Ability[];
  readonly created_at: Instant;
  /** The last time that the client got an access token. */
  readonly last_used_at: Instant;
};

/** An application's request for consent, as shown to the account's owner. */
export type ConsentRequest = {
  /** The id in the page's URL. */
  readonly uid: string;
  readonly client: {
    readonly id: string;
    readonly name: string;
    /** The client's https page. */
    readonly uri: string | null;
    /** True if the client id is the URL of its metadata, so that its domain vouches for it. */
    readonly is_metadata_document: boolean;
  };
  /** The host, or the app's private scheme (`cursor://`), that receives the answer. */
  readonly redirect_host: string;
  readonly redirects_to_this_machine: boolean;
  readonly permissions: readonly Ability[];
  readonly resource: string;
};

/** The owner's consent: the account, and the permissions of the application. */
export type ConsentDecision = { readonly account_id: number; readonly permissions: readonly Ability[] };

/** The default permissions of a sign-in that requests none. */
export const DEFAULT_PERMISSIONS: readonly Ability[] = ['mcp.read', 'products.read'];

/** The access token of an OAuth sign-in. Only the hash of its value is stored. */
export type SignInToken = {
  readonly account_id: number;
  readonly client_id: string;
  /** The permissions that the account's owner approved. */
  readonly permissions: readonly Ability[];
  /** The resource that the token was issued for (RFC 8707), such as `https://api.example.com/api/mcp`. */
  readonly resource: string;
  readonly expires_at: Instant;
};

/** The permissions in a scope (RFC 6749, section 3.3), in canonical order; unknown names are ignored. */
export const permissionsIn = (scope: string): Ability[] => {
  const requested = new Set(scope.split(' '));
  return ABILITIES.filter((ability) => requested.has(ability));
};

/** OpenID Connect scopes that clients request out of habit. They are accepted and grant nothing. */
const IDLE_SCOPES = new Set(['openid', 'profile', 'email', 'offline_access']);

/** The permissions that a request for a scope asks for. Without any it asks for the default ones; empty: none exists. */
export const requestedPermissions = (scope: string): readonly Ability[] =>
  scope.split(' ').every((name) => name === '' || IDLE_SCOPES.has(name)) ? DEFAULT_PERMISSIONS : permissionsIn(scope);

/** True for a token that has not expired and was issued for this resource. */
export const isTokenFor = ({ resource, expires_at }: SignInToken, requested: string, now: Instant): boolean =>
  resource === requested && !hasPassed(expires_at, now);
