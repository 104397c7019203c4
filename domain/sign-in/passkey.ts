import { hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { plainName } from '../shared/plain-text.ts';
import type { Place } from './session.ts';

/** A public key of a device or password manager that signs in to an account (WebAuthn Level 3). */
export type Passkey = {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly account_id: number;
  readonly place?: Place;
  readonly name: string;
  /** The public key in COSE format, base64url. */
  readonly public_key: string;
  /** The last signature counter; 0 for a key that doesn't count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly created_at: Instant;
  readonly last_used_at: Instant | null;
};

/**
 * The maximum number of passkeys of an account, and the maximum length of a name and a credential id (WebAuthn, section
 * 4).
 */
export const MOST_PASSKEYS = 20;
export const LONGEST_PASSKEY_NAME = 60;
export const LONGEST_CREDENTIAL_ID = 1364;

/** The beginning of a passkey's id, which distinguishes it within its account in a form. */
export const passkeyTag = ({ id }: Pick<Passkey, 'id'>): string => id.slice(0, 64);

/** The accepted key algorithms: ES256, EdDSA and RS256 (RFC 8152, RFC 8812). */
export const PASSKEY_ALGORITHMS: readonly number[] = [-7, -8, -257];

export type MadePasskey = Pick<Passkey, 'id' | 'public_key' | 'counter' | 'transports'>;

/** The passkey to store. It is refused beyond the account's maximum; without a name, it is named after the day. */
export const newPasskey = (
  made: MadePasskey,
  { account_id, place, name }: Pick<Passkey, 'account_id' | 'place' | 'name'>,
  held: readonly Passkey[],
  now: Instant,
): Outcome<Passkey, 'too_many_passkeys'> => {
  if (held.length >= MOST_PASSKEYS) {
    return refuse('too_many_passkeys', { message: `An account has at most ${MOST_PASSKEYS} passkeys.` });
  }
  const named = plainName(name, LONGEST_PASSKEY_NAME) ?? `Passkey ${now.slice(0, 10)}`;
  return ok({ ...made, account_id, ...(place && { place }), name: named, created_at: now, last_used_at: null });
};

/**
 * The account's number in its passkeys, base64url. A device keeps one passkey for each name of a site and handle, so the
 * console has another handle: both sites may have one name, with two ports.
 */
export const passkeyHandle = (account_id: number, place?: Place): string =>
  btoa(`${place ? `${place} ` : ''}${account_id}`).replaceAll('=', '');

/**
 * True if the signature can't come from a copied key: its counter increased, or the key has no counter (section 6.1.1).
 */
export const isFreshCounter = (before: number, after: number): boolean =>
  (before === 0 && after === 0) || after > before;

export const CHALLENGE_MINUTES = 5;

/** A challenge for a browser to sign once. `bound_to` is the SHA-256 of the requesting browser's cookie. */
export type PasskeyChallenge = {
  readonly bound_to: string;
  readonly challenge: string;
  readonly expires_at: Instant;
};

export const newChallenge = (made: Omit<PasskeyChallenge, 'expires_at'>, now: Instant): PasskeyChallenge => ({
  ...made,
  expires_at: toInstant(millis(now) + CHALLENGE_MINUTES * MINUTE_MS),
});

export const isOpenChallenge = ({ expires_at }: PasskeyChallenge, now: Instant): boolean => !hasPassed(expires_at, now);

/** The site that passkeys belong to: a host name, and the origin whose pages may use them. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/**
 * The site of an account host; null if browsers don't allow passkeys there: at an IP address, or without TLS except on
 * this machine (WebAuthn, section 5.1.3).
 */
export const relyingParty = (account: string): RelyingParty | null => {
  const { hostname, protocol, origin } = new URL(account);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isNamed = /[a-z]/i.test(hostname.split('.').at(-1) ?? '') && !hostname.startsWith('[');
  return isNamed && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : null;
};
