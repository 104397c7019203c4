import { compareText } from '../shared/compare-text.ts';
import { addDays, awaits, dayOf, hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { plainName } from '../shared/plain-text.ts';

/** Days without use after which a browser's sign-in ends, and days after which it ends in any case. */
export const SESSION_IDLE_DAYS = 14;
export const SESSION_DAYS = 90;

/** The ways to sign in: a password, a passkey, a one-time link, or the shop's own OpenID Connect provider. */
export type SignInMethod = 'password' | 'passkey' | 'link' | 'upstream';

/**
 * The site that a session, a one-time link or a passkey belongs to: the console of the shop. Absent means the
 * account host. Each is invalid at the other site.
 */
export type Place = 'console';

/** The kinds of ways into an account, or to act for it. */
export const WAYS_IN = ['password', 'passkey', 'browser', 'key', 'license_key', 'app', 'link', 'provider'] as const;

/** A browser that is signed in to an account. Only the SHA-256 hash of its cookie's value is stored. */
export type Session = {
  /** Identifies the session on its owner's list. It is not a credential. */
  readonly id: number;
  /** SHA-256 of the cookie's value, lower-case hex. */
  readonly hash: string;
  readonly account_id: number;
  readonly method: SignInMethod;
  readonly place?: Place;
  /** A short name of the browser, such as `Firefox on macOS`. */
  readonly browser: string;
  /** The IP address that it was opened from; absent if addresses are not stored. */
  readonly address?: string;
  readonly created_at: Instant;
  /**
   * The last proof that the owner is at the browser; absent if that is the sign-in. The link in an order's mail proves
   * only that the owner read mail when it was sent.
   */
  readonly proved_at?: Instant;
  /** Accurate to the day, because it is written at most once a day. */
  readonly last_seen_at: Instant;
};

const LONGEST_BROWSER = 100;

export const newSession = (
  { browser, ...opened }: Omit<Session, 'created_at' | 'last_seen_at'>,
  now: Instant,
): Session => ({
  ...opened,
  browser: plainName(browser, LONGEST_BROWSER) ?? '',
  created_at: now,
  last_seen_at: now,
});

/** The moment at which the session ends if nobody uses it again. */
export const sessionEnd = ({ created_at, last_seen_at }: Session): Instant => {
  const idle = addDays(last_seen_at, SESSION_IDLE_DAYS);
  const whole = addDays(created_at, SESSION_DAYS);
  return idle < whole ? idle : whole;
};

export const isLiveSession = (session: Session, now: Instant): boolean => !hasPassed(sessionEnd(session), now);

/**
 * Minutes after a sign-in or confirmation during which a session may perform critical actions: add a passkey, a key, a
 * device, an application, another address or a first password, export, or erase. Later they need a confirmation, which
 * a stolen cookie can't give (OWASP ASVS 5.0, 7.5.1; NIST SP 800-63B, "Reauthentication").
 */
export const FRESH_PROOF_MINUTES = 10;

export const needsProof = (
  { created_at, proved_at = created_at }: Pick<Session, 'created_at' | 'proved_at'>,
  now: Instant,
): boolean => !awaits(toInstant(millis(proved_at) + FRESH_PROOF_MINUTES * MINUTE_MS), now);

/**
 * Days for which a passkey, a key or an application counts as new: a thief may have added it. Changing the password
 * offers to remove new passkeys, and undoing a change of the address removes everything that was new then.
 */
const NEW_DAYS = 7;

export const isNewWayIn = ({ created_at }: Pick<Session, 'created_at'>, now: Instant): boolean =>
  !hasPassed(addDays(created_at, NEW_DAYS), now);

/** The maximum number of sessions of an account. */
export const MOST_SESSIONS = 50;

/** The sessions to end when another is opened: expired ones, and the longest unused beyond the maximum. */
export const sessionsToEnd = (sessions: readonly Session[], now: Instant): Session[] => {
  const live = sessions.filter((session) => isLiveSession(session, now));
  const unused = live.sort((a, b) => compareText(a.last_seen_at, b.last_seen_at) || a.id - b.id);
  const beyond = unused.slice(0, Math.max(0, live.length - MOST_SESSIONS + 1));
  return [...sessions.filter((session) => !isLiveSession(session, now)), ...beyond];
};

/** True if the session was not recorded as used today (UTC). */
export const isUnseenSession = ({ last_seen_at }: Session, now: Instant): boolean => dayOf(last_seen_at) !== dayOf(now);

/** Days for which a browser stays known after a sign-in. */
export const KNOWN_BROWSER_DAYS = 180;

/**
 * A browser that signed in to an account before. Its password attempts are counted apart from those of strangers
 * (OWASP, "device cookies"). Only the SHA-256 hash of its cookie's value is stored. It can't sign in.
 */
export type KnownBrowser = {
  readonly hash: string;
  readonly account_id: number;
  readonly created_at: Instant;
  readonly expires_at: Instant;
};

export const newKnownBrowser = (hash: string, account_id: number, now: Instant): KnownBrowser => ({
  hash,
  account_id,
  created_at: now,
  expires_at: addDays(now, KNOWN_BROWSER_DAYS),
});

/** True if the browser signed in to this account and is not forgotten. */
export const isKnownTo = (browser: KnownBrowser | undefined, account_id: number, now: Instant): boolean =>
  browser !== undefined && browser.account_id === account_id && !hasPassed(browser.expires_at, now);

/** The maximum number of known browsers of an account. */
export const MOST_KNOWN_BROWSERS = 10;

/** The browsers to forget, because there are too many newer ones. */
export const browsersToForget = (browsers: readonly KnownBrowser[]): KnownBrowser[] =>
  browsers.toSorted((a, b) => compareText(b.created_at, a.created_at)).slice(MOST_KNOWN_BROWSERS);

const LONGEST_PATH = 2048;

/**
 * The path to open after a sign-in, if it is on this host; else `instead`. A path begins with one slash: browsers read
 * `//host`, `/\host` and the same with a tab or a line break inside as another host (WHATWG URL).
 */
export const ownPath = (next: string | null | undefined, instead: string): string =>
  typeof next === 'string' && next.length <= LONGEST_PATH && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)
    ? next
    : instead;

/** The ways to sign in that the operator offers, in addition to one-time links. */
export type SignInMethods = {
  /** Whether passwords can be used to sign in. */
  readonly password: boolean;
  /** The upstream provider, with the name on its button; null if there is none. */
  readonly upstream: { readonly name: string } | null;
};
