import { type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type KeyUse, LISTED_FOR_MS, SIGNED } from './key-use.ts';

export type SigningKey = {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** The public part of the Ed25519 key (RFC 8037), base64url. */
  readonly x: string;
  /** The private part, base64url; null in an old key, which only verifies. */
  readonly d: string | null;
  readonly created_at: Instant;
  /** The time at which its use begins, possibly in the future; null if not set. */
  readonly current_from: Instant | null;
};

/** Every key of one use that was not revoked, oldest first. */
export type SigningKeyRing = readonly SigningKey[];

export type KeyState = 'next' | 'current' | 'old';

export type PrivateKey = SigningKey & { readonly d: string; readonly current_from: Instant };

/** The maximum number of keys in a ring, so that they fit into one secret. */
export const MAX_KEYS = 100;

/** A key as shown to an operator: without its private part, so it can be logged. */
export type SigningKeyView = Omit<SigningKey, 'd'> & { readonly state: KeyState };

export const signingKeyView = (ring: SigningKeyRing, { d, ...key }: SigningKey, at: Instant): SigningKeyView => ({
  ...key,
  state: stateIn(ring, { d, ...key }, at),
});

/**
 * The key that signs at a moment: the latest one in use. It depends only on the ring and the clock, so instances that
 * read the ring at different times switch keys at the same time. If the clock is behind all keys, the first one signs.
 * Undefined if no key can sign.
 */
export const currentKey = (ring: SigningKeyRing, at: Instant): PrivateKey | undefined => {
  const able = ring.filter((key): key is PrivateKey => key.d !== null && key.current_from !== null);
  return able.filter(({ current_from }) => current_from <= at).at(-1) ?? able[0];
};

/** The time at which the signing key will change; null if no change is planned. */
export const handoverAt = (ring: SigningKeyRing, now: Instant): Instant | null =>
  nextKey(ring, now)?.current_from ?? null;

/** Keys before the current one are old, whatever their times say, because the clocks of two machines differ. */
export const stateIn = (ring: SigningKeyRing, { kid, d }: SigningKey, at: Instant): KeyState => {
  const kids = ring.map((key) => key.kid);
  const current = currentKey(ring, at)?.kid;
  if (kid === current) return 'current';
  return d !== null && kids.indexOf(kid) > kids.indexOf(current ?? '') ? 'next' : 'old';
};

export const nextKey = (ring: SigningKeyRing, at: Instant): SigningKey | undefined =>
  ring.find((key) => stateIn(ring, key, at) === 'next');

/** The ring without the private parts of keys that no longer sign. */
export const withRetired = (ring: SigningKeyRing, at: Instant): SigningKeyRing =>
  ring.map((key) => (stateIn(ring, key, at) === 'old' ? { ...key, d: null } : key));

export const publicJwk = ({ x, kid }: Pick<SigningKey, 'x' | 'kid'>): PublicJwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid,
  alg: 'EdDSA',
  use: 'sig',
});

/** A ring with a first key, which signs at once. */
export const firstRing = ({ kid, x, d }: Pick<PrivateKey, 'kid' | 'x' | 'd'>, at: Instant): SigningKeyRing => [
  { kid, x, d, created_at: at, current_from: at },
];

/** A key of the ring that can sign: the current or the next one; undefined for any other. */
export const privateKeyIn = (ring: SigningKeyRing, kid: string): PrivateKey | undefined => {
  const key = ring.find((one) => one.kid === kid);
  return key?.d != null ? { ...key, d: key.d, current_from: key.current_from ?? key.created_at } : undefined;
};

/** Adds a key as the next one. The first key of a ring is in use at once, because no client knows another. */
export const withNewKey = (
  ring: SigningKeyRing,
  { kid, x, d }: Pick<PrivateKey, 'kid' | 'x' | 'd'>,
  now: Instant,
): Outcome<SigningKeyRing, 'key_exists' | 'next_key_exists' | 'too_many_keys'> => {
  if (ring.some((key) => key.kid === kid)) {
    return refuse('key_exists', { message: `Key ${kid} is already in the ring; a key is used only once.` });
  }
  const next = nextKey(ring, now);
  if (next) {
    return refuse('next_key_exists', {
      message: `Key ${next.kid} is already the next key; activate it before you create another.`,
    });
  }
  if (ring.length >= MAX_KEYS) {
    return refuse('too_many_keys', { message: `There are ${MAX_KEYS} keys, the maximum.` });
  }
  return ok(
    ring.length === 0
      ? firstRing({ kid, x, d }, now)
      : [...withRetired(ring, now), { kid, x, d, created_at: now, current_from: null }],
  );
};

/**
 * Puts the next key into use `in` milliseconds from now. The current key signs until then; afterwards only its public
 * part is stored. A key that clients may not know yet (listed for less than the time of its use) is refused, except
 * with `unlisted`.
 */
export const withActivated = (
  ring: SigningKeyRing,
  use: KeyUse,
  now: Instant,
  { unlisted = false, in: ms = 0 } = {},
): Outcome<SigningKeyRing, 'no_next_key' | 'key_too_new'> => {
  const next = nextKey(ring, now);
  if (!next) return refuse('no_next_key', { message: 'There is no next key; create one first.' });
  if (next.current_from !== null) {
    return refuse('no_next_key', {
      message: `Key ${next.kid} is already activated, and signs from ${next.current_from} on.`,
    });
  }
  const from = millis(next.created_at) + LISTED_FOR_MS[use];
  if (!unlisted && millis(now) < from) {
    return refuse('key_too_new', {
      message: `Key ${next.kid} was listed too recently; clients know it from ${toInstant(from)} on.`,
      data: { kid: next.kid, activates_from: toInstant(from) },
    });
  }
  return ok(handedTo(ring, next, toInstant(millis(now) + ms), now));
};

const handedTo = (ring: SigningKeyRing, next: SigningKey, from: Instant, now: Instant): SigningKeyRing =>
  withRetired(
    ring.map((key) => (key === next ? { ...key, current_from: from } : key)),
    now,
  );

/**
 * Removes a key, so nobody verifies with it any longer. The next key replaces a current key at once, even if clients
 * may not know it yet, because a leaked key is worse. Without a next key, removing the current one is refused.
 */
export const withRevoked = (
  ring: SigningKeyRing,
  use: KeyUse,
  kid: string,
  now: Instant,
): Outcome<SigningKeyRing, 'key_not_found' | 'no_next_key'> => {
  const revoked = ring.find((key) => key.kid === kid);
  if (!revoked) return refuse('key_not_found', { message: `There is no key ${kid} that signs ${SIGNED[use]}.` });
  const rest = ring.filter((key) => key !== revoked);
  if (stateIn(ring, revoked, now) !== 'current') return ok(withRetired(rest, now));
  const next = nextKey(ring, now);
  if (next) return ok(handedTo(rest, next, now, now));
  return refuse('no_next_key', {
    message: `Key ${kid} signs ${SIGNED[use]}, and there is no next key to replace it; create one first.`,
  });
};

/*
 * The text form of a ring: a JWK set (RFC 7517) whose keys have two additional members, `created_at` and
 * `current_from`. An old key has no `d`.
 */

const KEY_BYTES = /^[\w-]{43}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const has = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);

const readKey = (value: unknown): SigningKey | undefined => {
  const { kty, crv, kid, x, d = null, created_at, current_from } = (value ?? {}) as Record<string, unknown>;
  if (kty !== 'OKP' || crv !== 'Ed25519' || !has(kid, KEY_BYTES) || !has(x, KEY_BYTES)) return undefined;
  if (!has(created_at, INSTANT) || (d !== null && !has(d, KEY_BYTES))) return undefined;
  if (current_from !== null && !has(current_from, INSTANT)) return undefined;
  return { kid, x, d, created_at, current_from };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Parses a ring; undefined for any other text, and for a ring with a duplicate key. At most two keys can sign, while
 * one takes over from the other.
 */
export const readSigningKeyRing = (text: string): SigningKeyRing | undefined => {
  const { keys } = (parsed(text) ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) return undefined;
  const ring = keys.map(readKey);
  const signing = ring.filter((key) => key?.d != null && key.current_from !== null);
  const kids = new Set(ring.map((key) => key?.kid));
  return ring.includes(undefined) || kids.size < ring.length || signing.length > 2
    ? undefined
    : (ring as SigningKeyRing);
};

export const writeSigningKeyRing = (ring: SigningKeyRing): string => {
  const keys = ring.map(({ kid, x, d, created_at, current_from }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    kid,
    x,
    ...(d === null ? {} : { d }),
    created_at,
    current_from,
  }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
};

/** A public Ed25519 key of a JWK set (RFC 7517, RFC 8037). */
export type PublicJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  readonly x: string;
  /** RFC 7638 thumbprint, SHA-256, base64url. */
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
};
