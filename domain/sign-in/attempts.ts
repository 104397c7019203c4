import { countedAddress } from '../access/rate-limit.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';

/** A limit on the attempts of one subject in a time window. */
export type AttemptLimit = {
  readonly subject: string;
  /** The maximum number of attempts in a window. */
  readonly most: number;
  /** The length of a window in minutes. */
  readonly minutes: number;
};

/** The window of a limit at a moment. */
export type AttemptWindow = {
  readonly id: number;
  /** Unix seconds at which the window ends. */
  readonly ends_at: number;
  /** Whole seconds until then, at least 1. */
  readonly left: number;
};

export const attemptWindow = ({ minutes }: Pick<AttemptLimit, 'minutes'>, now: Instant): AttemptWindow => {
  const length = minutes * MINUTE_MS;
  const moment = millis(now);
  const id = Math.floor(moment / length);
  const end = (id + 1) * length;
  return { id, ends_at: Math.ceil(end / 1000), left: Math.ceil((end - moment) / 1000) };
};

/** Wrong passwords from one IP address, whatever the accounts. An office shares one address. */
export const PASSWORDS_PER_ADDRESS = 30;
/** Wrong passwords from one IP address for one email address. */
export const PASSWORDS_PER_ADDRESS_AND_EMAIL = 10;
/**
 * Wrong passwords for one email address in an hour, from all unknown browsers together. One IP address can use up
 * 40 of them.
 */
export const PASSWORDS_PER_EMAIL = 60;
/** Wrong passwords from one browser that signed in to the account before. */
export const PASSWORDS_PER_KNOWN_BROWSER = 10;
/** Wrong passwords from all known browsers of one account together. */
export const PASSWORDS_OF_KNOWN_BROWSERS = 30;
/** Wrong current passwords of one session. */
export const PASSWORDS_PER_SESSION = 10;
/** Wrong user codes of one account (RFC 8628, section 5.1). There are 20^8 codes. */
export const USER_CODES_PER_ACCOUNT = 20;
/** Wrong user codes from one IP address. */
export const USER_CODES_PER_ADDRESS = 40;
/** Wrong codes of one-time links from one IP address. */
export const LINKS_PER_ADDRESS = 30;
/**
 * Mailed links requested by one IP address: for all email addresses, and for one. There is no limit on all
 * requests for one email address, because strangers would use it up; `mayMailLink` limits the mails.
 */
export const MAILED_LINKS_PER_ADDRESS = 20;
export const MAILED_LINKS_PER_ADDRESS_AND_EMAIL = 5;
/** Sign-in links requested by a browser that has signed in to the account before. */
export const MAILED_LINKS_PER_KNOWN_BROWSER = 5;
/** Device sign-ins that begin at one IP address. */
export const DEVICE_SIGN_INS_PER_ADDRESS = 60;

/** The default length of a window in minutes. */
export const ATTEMPT_MINUTES = 15;

const limit = (subject: string, most: number, minutes = ATTEMPT_MINUTES): AttemptLimit => ({
  subject: `SIGNIN#${subject}`,
  most,
  minutes,
});

/**
 * The limits on a password attempt, narrowest first. `email_hash` is used whether or not an account has the address, so
 * the limits reveal nothing. A browser that has signed in to the account before (OWASP, "device cookies") is counted
 * separately: strangers who use up the other limits do not lock its owner out.
 */
export const passwordLimits = (
  email_hash: string,
  address: string,
  known_browser_hash: string | null,
): readonly AttemptLimit[] => {
  if (known_browser_hash !== null) {
    return [
      limit(`BROWSER#${known_browser_hash}`, PASSWORDS_PER_KNOWN_BROWSER),
      limit(`BROWSERS#${email_hash}`, PASSWORDS_OF_KNOWN_BROWSERS),
    ];
  }
  const from = countedAddress(address);
  return [
    limit(`ADDRESS#${from}`, PASSWORDS_PER_ADDRESS),
    limit(`EMAIL#${email_hash}#${from}`, PASSWORDS_PER_ADDRESS_AND_EMAIL),
    limit(`EMAIL#${email_hash}`, PASSWORDS_PER_EMAIL, 60),
  ];
};

export const currentPasswordLimits = (sessionId: number): readonly AttemptLimit[] => [
  limit(`SESSION#${sessionId}`, PASSWORDS_PER_SESSION),
];

export const userCodeLimits = (account_id: number, address: string): readonly AttemptLimit[] => [
  limit(`USERCODE#ADDRESS#${countedAddress(address)}`, USER_CODES_PER_ADDRESS),
  limit(`USERCODE#ACCOUNT#${account_id}`, USER_CODES_PER_ACCOUNT),
];

export const linkLimits = (address: string): readonly AttemptLimit[] => [
  limit(`LINK#${countedAddress(address)}`, LINKS_PER_ADDRESS),
];

export const passkeyLimits = (address: string): readonly AttemptLimit[] => [
  limit(`PASSKEY#${countedAddress(address)}`, LINKS_PER_ADDRESS),
];

/** The limits on requesting a link by mail, by requester. The arguments are those of `passwordLimits`. */
export const mailedLinkLimits = (
  email_hash: string,
  address: string,
  known_browser_hash: string | null = null,
): readonly AttemptLimit[] =>
  known_browser_hash === null
    ? [
        limit(`MAIL#${countedAddress(address)}`, MAILED_LINKS_PER_ADDRESS),
        limit(`MAIL#${email_hash}#${countedAddress(address)}`, MAILED_LINKS_PER_ADDRESS_AND_EMAIL),
      ]
    : [limit(`MAIL#BROWSER#${known_browser_hash}`, MAILED_LINKS_PER_KNOWN_BROWSER)];

/** Changes of the email address that an account may request in a day, because each mails an unverified address. */
export const EMAIL_CHANGES_A_DAY: DailyBound = {
  name: 'email-changes',
  most: 5,
  what: 'changes of the email address',
};

export const deviceSignInLimits = (address: string): readonly AttemptLimit[] => [
  limit(`DEVICE#${countedAddress(address)}`, DEVICE_SIGN_INS_PER_ADDRESS),
];
