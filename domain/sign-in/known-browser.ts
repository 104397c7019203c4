import { addDays, hasPassed, type Instant } from '../shared/instant.ts';

/** Days for which a browser stays known after a sign-in. */
export const KNOWN_BROWSER_DAYS = 180;

/**
 * A browser that signed in to an account before. Its attempts at the account's password are counted apart from those of
 * strangers (OWASP, "device cookies"). Only the SHA-256 hash of its cookie's value is kept. It signs nobody in.
 */
export type KnownBrowser = {
  readonly hash: string;
  readonly account_id: number;
  readonly created_at: Instant;
  readonly expires_at: Instant;
};

/** A browser as it is remembered now. */
export const newKnownBrowser = (hash: string, account_id: number, now: Instant): KnownBrowser => ({
  hash,
  account_id,
  created_at: now,
  expires_at: addDays(now, KNOWN_BROWSER_DAYS),
});

/** True where the browser signed in to this account and is not forgotten. */
export const isKnownTo = (browser: KnownBrowser | undefined, accountId: number, now: Instant): boolean =>
  browser !== undefined && browser.account_id === accountId && !hasPassed(browser.expires_at, now);

/** The browsers of one account that are known at once. */
export const MOST_KNOWN_BROWSERS = 10;

/** The browsers to forget, because newer ones take up the bound. */
export const browsersToForget = (browsers: readonly KnownBrowser[]): KnownBrowser[] =>
  browsers
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0))
    .slice(MOST_KNOWN_BROWSERS);
