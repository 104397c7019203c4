import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';
import type { ConnectedApp } from './connected-app.ts';

/** Days without a refresh after which an application has to ask the account's owner again. */
export const IDLE_DAYS = 30;

/**
 * Seconds for which a refresh token works again after its first use. Two processes of one client may refresh at the
 * same moment, and an answer may get lost; neither is a theft.
 */
export const REUSE_GRACE_SECONDS = 30;

/**
 * Uses of a refresh token after its first within the grace. Many parallel processes of a client need as many; whoever
 * stole a token gets no more live pairs of tokens out of it than that.
 */
export const MOST_REUSES = 20;

/**
 * Answers with tokens in a day. A client needs one an hour, and each leaves records for as long as its refresh token.
 */
export const TOKENS_A_DAY: DailyBound = { name: 'tokens', most: 1000, what: 'new tokens of a connected application' };

/** Days for which a registered client is kept: one that no account let in yet, and one since its last use. */
export const UNUSED_CLIENT_DAYS = 1;
export const CLIENT_DAYS = 400;

/** The moment at which a grant ends. Its last use is exact to the day, so that a day is added to the idle days. */
export const grantEnd = ({ last_used_at }: ConnectedApp): Instant => addDays(last_used_at, IDLE_DAYS + 1);

export const isLiveGrant = (app: ConnectedApp, now: Instant): boolean => !hasPassed(grantEnd(app), now);

/** The applications that an account may have let in at once. Each consent makes one, also of a client that has one. */
export const MOST_APPS = 50;

const compare = (a: Instant, b: Instant): number => (a < b ? -1 : a > b ? 1 : 0);

/** The live applications of an account beyond the bound, those unused for longest. */
export const appsToEnd = (apps: readonly ConnectedApp[]): ConnectedApp[] =>
  apps
    .toSorted((a, b) => compare(a.last_used_at, b.last_used_at) || compare(a.created_at, b.created_at))
    .slice(0, Math.max(0, apps.length - MOST_APPS));

/** True where the grant's last use is a day old, so that a use is written at most once a day. */
export const isUseDue = ({ last_used_at }: ConnectedApp, now: Instant): boolean => addDays(last_used_at, 1) <= now;

/** True where a refresh token that was used at `consumed_at` may be used again. */
export const isWithinGrace = (consumedAt: Instant, now: Instant): boolean =>
  now < toInstant(millis(consumedAt) + REUSE_GRACE_SECONDS * 1000);
